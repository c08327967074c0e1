/**
 * Puts time and randomness under the scheduler: timers, `Date`, `performance.now`, `Math.random` and the random
 * functions of node:crypto. The real code imports them as usual. This module must run before that code is loaded.
 */

import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import { uuidFrom } from './random.ts'
import { epochMs, type Scheduler } from './scheduler.ts'

/** The source of time and random numbers for the globals; replaced with each seed. */
type Source = { scheduler: Scheduler; random: () => number }

const realMath = Math.random
let source: Source | null = null

const now = () => epochMs + Math.floor(source?.scheduler.now() ?? 0)
const random = () => (source ? source.random() : realMath())

/** Makes `given` the source of time and random numbers; null between seeds. */
export function useSource(given: Source | null): void {
  source = given
}

function scheduler(): Scheduler {
  if (!source) throw new Error('a timer outside of a seed')
  return source.scheduler
}

export function installDeterminism(): void {
  const SystemDate = Date
  class VirtualDate extends SystemDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(now())
      else super(...(args as [number]))
    }
    static override now(): number {
      return now()
    }
  }
  const timeout = (run: (...given: unknown[]) => void, delayMs?: number, ...given: unknown[]) =>
    scheduler().own(delayMs ?? 1, () => run(...given))
  const interval = (run: () => void, delayMs: number) => {
    const event = scheduler().own(delayMs, function again() {
      Object.assign(event, { next: scheduler().own(delayMs, again) })
      run()
    })
    return event
  }
  const clear = (event: unknown) => {
    if (!source || event === undefined || event === null) return
    scheduler().cancel(event)
    scheduler().cancel((event as { next?: unknown }).next)
  }
  Object.assign(globalThis, {
    Date: VirtualDate,
    setTimeout: timeout,
    setInterval: interval,
    setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) => scheduler().own(0, () => run(...given)),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  })
  Object.assign(timersPromises, {
    setTimeout: (delayMs?: number, value?: unknown) => new Promise((resolve) => timeout(() => resolve(value), delayMs)),
  })
  Math.random = random
  performance.now = () => source?.scheduler.now() ?? 0
  const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)))
  Object.assign(crypto, {
    randomUUID: () => uuidFrom(random),
    randomUUIDv7: () => uuidFrom(random, now()),
    randomBytes: bytes,
    // Random pools that outlive a seed are filled with equal bytes, so that no seed depends on how much an earlier one
    // used.
    randomFillSync: (buffer: Uint8Array) => buffer.fill(0x5a),
  })
  syncBuiltinESMExports()
}
