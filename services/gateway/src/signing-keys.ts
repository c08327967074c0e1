/**
 * The keys that sign access tokens, as their issuer (authz, or the console for operators) publishes them: read at the first
 * use, from then on every so often, and for a key id never seen. While the issuer is out of reach the keys that are known hold.
 *
 * Invariants: a key id is unknown only by a reading that began after it was asked for; made-up ids cause no more than one
 * reading in `minRefreshMs`, for which all that ask wait.
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
   * The key, or undefined where the issuer has none of that id.
   * @throws Problem authorization_unavailable where the issuer cannot be asked
   */
  find(kid: string): Promise<CryptoKey | undefined>
  /** The key, as far as it was read already. */
  known(kid: string): CryptoKey | undefined
  stop(): Promise<void>
}

export type SigningKeysOptions = {
  bus: Bus
  log: Log
  /** Whom to ask. */
  subject: 'rpc.authz.keys' | 'rpc.ops-console.keys'
  /** How often the keys are read again. */
  pauseMs: number
  /** A key is no longer published: what it signed is not to be believed from then on. */
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
    // An answer that was overtaken is older than what is known.
    if (mine < taken) return
    taken = mine
    const former = keys
    keys = imported
    if (former && [...former.keys()].some((kid) => !imported.has(kid))) onRemoved()
  }
  const readSoon = () => {
    next ??= (async () => {
      await delay(Math.max(0, begunAt + minRefreshMs - performance.now()))
      // From here on it may be too early for whoever asks: they take the one after it.
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
