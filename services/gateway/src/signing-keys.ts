/**
 * The keys that sign access tokens, as their issuer publishes them (authz, or the console for operators). They are read
 * at the first use, then periodically, and when an unknown key id appears. While the issuer is out of reach, the known
 * keys stay valid.
 *
 * Invariants: a key id counts as unknown only after a read that began after the id was requested. Invented ids cause at
 * most one read per `minRefreshMs`, and all requests with such ids wait for that read.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Log } from '@financial-agents/runtime/log'
import { repeat } from '@financial-agents/runtime/repeat'
import { type CryptoKey, importJWK, type JWK } from 'jose'

const minRefreshMs = 1_000
const timeoutMs = 2_000

export type SigningKeys = {
  /**
   * Returns the key; undefined if the issuer has none with this id.
   * @throws Problem authorization_unavailable if the issuer cannot be asked
   */
  find(kid: string): Promise<CryptoKey | undefined>
  /** Returns the key if it was already read. */
  known(kid: string): CryptoKey | undefined
  stop(): Promise<void>
}

export type SigningKeysOptions = {
  bus: Bus
  log: Log
  subject: 'rpc.authz.keys' | 'rpc.ops-console.keys'
  pauseMs: number
  /** Called when a key is no longer published. Tokens that it signed are not valid from then on. */
  onRemoved: () => void
}

export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { bus, log, subject, pauseMs, onRemoved } = options
  let keys: ReadonlyMap<string, CryptoKey> | undefined
  let begunAt = Number.NEGATIVE_INFINITY
  let next: Promise<void> | undefined
  let [begun, taken] = [0, 0]

  const read = async () => {
    begun += 1
    const mine = begun
    begunAt = performance.now()
    const answer = await call(bus, subject, null, newContext(timeoutMs))
    const imported = await importKeys(answer.keys)
    // A later read has already finished: this answer is older than the known keys.
    if (mine < taken) return
    taken = mine
    const former = keys
    keys = imported
    if (former && [...former.keys()].some((kid) => !imported.has(kid))) onRemoved()
  }
  const readSoon = () => {
    next ??= (async () => {
      await delay(Math.max(0, begunAt + minRefreshMs - performance.now()))
      // This read may have begun too early for later requests, so they start the next one.
      next = undefined
      await read()
    })()
    return next
  }
  const repeating = repeat({
    name: `signing keys of ${subject}`,
    pauseMs,
    log,
    work: async () => {
      if (keys)
        await read().catch((error: unknown) => log.warn({ err: error, subject }, 'the signing keys could not be read'))
    },
  })
  return {
    find: async (kid) => {
      const known = keys?.get(kid)
      if (known) return known
      await readSoon().catch((cause: unknown) => {
        throw new Problem('authorization_unavailable', { cause })
      })
      return keys?.get(kid)
    },
    known: (kid) => keys?.get(kid),
    stop: () => repeating.stop(),
  }
}

async function importKeys(jwks: Record<string, unknown>[]): Promise<Map<string, CryptoKey>> {
  const imported = new Map<string, CryptoKey>()
  for (const jwk of jwks) {
    if (jwk.kty !== 'EC' || jwk.crv !== 'P-256' || typeof jwk.kid !== 'string') continue
    imported.set(jwk.kid, (await importJWK(jwk as JWK, 'ES256')) as CryptoKey)
  }
  return imported
}
