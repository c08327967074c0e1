/**
 * Answers of the provider, kept for a while: one read at a time for equal questions, whoever waits for it.
 *
 * Invariant: an answer given to a binding is kept under that binding alone, and gone once its credentials are refused. A read
 * that failed is not kept. Nobody waits longer than they have; the read itself goes on for the others.
 */

import type { ReadResult } from '@financial-agents/provider/port'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import { within } from './deadlines.ts'
import { toProblem } from './guard.ts'

/** What is read, and how long it is kept. */
export type CachedReadOptions<Call, Asked extends readonly unknown[], Data> = {
  /** The kind of read, as for `read`. */
  name: string
  ttlMs: number
  /** Over all bindings; the oldest goes first. */
  maxEntries?: number
  /** `asked` has to survive JSON: it is the key. What it throws is thrown to whoever waits, and not kept. */
  send: (call: Call, ...asked: Asked) => Promise<ReadResult<Data>>
}

/** A read whose answers are kept. What it answers is shared: never change it. */
export type CachedRead<Context, Asked extends readonly unknown[], Data> = {
  /** @throws Problem as `read` or `readPublic` does */
  get(context: Context, ...asked: Asked): Promise<Data>
}

/** What a read is asked with, as far as it says how long it may take. */
type Timed = { timeoutMs?: number }

type Options<Context, Asked extends readonly unknown[], Data> = {
  ttlMs: number
  maxEntries?: number
  /** Whose the answer is; empty: everybody's. @throws Problem where it can be nobody's */
  bindingOf: (context: Context) => string
  read: (context: Context, asked: Asked) => Promise<Data>
}

/** The kept answers of a process. */
export type CachedReads = {
  create<Context extends Timed, Asked extends readonly unknown[], Data>(
    options: Options<Context, Asked, Data>,
  ): CachedRead<Context, Asked, Data>
  /** Forgets what the binding was given. */
  dropBinding(bindingId: string): void
}

const defaultMaxEntries = 10_000

type Made = { clock: Clock; leftMs: (context: Timed) => number }

/** Keeps nothing yet. @param made.leftMs how long whoever asks still waits */
export function createCachedReads(made: Made): CachedReads {
  const drops: ((prefix: string) => void)[] = []
  return {
    create: (options) => createCachedRead(made, options, drops),
    dropBinding: (bindingId) => {
      for (const drop of drops) drop(`${bindingId} `)
    },
  }
}

function createCachedRead<Context extends Timed, Asked extends readonly unknown[], Data>(
  { clock, leftMs }: Made,
  { ttlMs, maxEntries = defaultMaxEntries, bindingOf, read }: Options<Context, Asked, Data>,
  drops: ((prefix: string) => void)[],
): CachedRead<Context, Asked, Data> {
  const cache = createExpiringCache<Data>({ clock, ttlMs, maxEntries })
  drops.push(cache.dropAll)
  return {
    get: async (context, ...asked) => {
      const kept = cache.get(`${bindingOf(context)} ${JSON.stringify(asked)}`, () => read(context, asked))
      try {
        return await within(leftMs(context), kept)
      } catch (error) {
        throw toProblem(error)
      }
    },
  }
}
