/**
 * The signing keys of this process, read again every few seconds. A replica that cannot read them continues with the
 * known keys by the clock: each begins and ends at its time.
 *
 * Invariant: listeners are called for every change of the keys' order or number, one change at a time.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { observe } from '@financial-agents/runtime/metrics/metrics'
import { repeat } from '@financial-agents/runtime/repeat'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { inSigningOrder, loadSigningKeys, type PrivateJwk, type SigningKey } from '../store/signing-keys.ts'
import { makeSigningKey, publicJwk } from './signing-key.ts'

export type KeySource = {
  /** The signing key first, then every other published key. */
  current: () => readonly PrivateJwk[]
  publicKeys: () => Record<string, unknown>[]
  /** The listener is called after each change of `current`, before the next read. */
  onChange: (listener: () => Promise<void> | void) => void
  /** Reads the keys now, as the background job does. A key that was published before the call is known after it. */
  refresh: () => Promise<void>
  stop: () => Promise<void>
}

/** Creates the first key of an environment that has none. `pauseMs` null: the keys are read only by `refresh`. */
export async function createKeySource(dependencies: {
  db: Database
  sealer: Sealer
  clock: Clock
  log: Log
  pauseMs: number | null
}): Promise<KeySource> {
  const { db, sealer, clock, log, pauseMs } = dependencies
  const listeners: (() => Promise<void> | void)[] = []
  let known: SigningKey[] = await loadSigningKeys(db, sealer, makeSigningKey, clock.now())
  let current = inSigningOrder(known, clock.now()).map((key) => key.privateJwk)

  const read = async () => {
    try {
      known = await loadSigningKeys(db, sealer, makeSigningKey, clock.now())
    } catch (error) {
      log.warn({ err: error }, 'the signing keys could not be read')
    }
    const next = inSigningOrder(known, clock.now()).map((key) => key.privateJwk)
    if (isDeepStrictEqual(kidsOf(next), kidsOf(current))) return
    current = next
    log.info({ kids: kidsOf(next) }, 'the signing keys changed')
    for (const listener of listeners) await listener()
  }
  const unobserve = observe(() => {
    const now = clock.now()
    const signing = inSigningOrder(known, now)[0]
    const ageMs = signing ? now.getTime() - signing.signs_from.getTime() : 0
    return [['financial_agents.authz.signing_key_age', ageMs / 1_000, {}]]
  })
  // One read at a time, so that an older result never overwrites a newer one. Callers that arrive meanwhile share the
  // next read.
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const refresh = (): Promise<void> => {
    if (running) {
      next ??= running.then(() => {
        next = undefined
        return refresh()
      })
      return next
    }
    running = read().finally(() => {
      running = undefined
    })
    return running
  }
  const repeating = pauseMs === null ? undefined : repeat({ name: 'signing keys', pauseMs, log, work: refresh })
  return {
    current: () => current,
    publicKeys: () => current.map(publicJwk),
    onChange: (listener) => {
      listeners.push(listener)
    },
    refresh,
    stop: async () => {
      unobserve()
      await repeating?.stop()
    },
  }
}

function kidsOf(keys: readonly PrivateJwk[]): string[] {
  return keys.map((key) => key.kid)
}
