/**
 * The keys that sign access tokens, as authz publishes them: read at the first use, from then on every so often, and for a
 * key id never seen, but then no oftener than `minRefreshMs`: made-up ids must not become load on authz.
 *
 * authz publishes a key longer before it signs than the pause here, so that no replica meets a token of a key that it does
 * not know. While authz is out of reach the keys that are known hold.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Log } from '@financial-agents/runtime/log'
import { repeat } from '@financial-agents/runtime/repeat'
import { type CryptoKey, importJWK, type JWK } from 'jose'

const minRefreshMs = 5_000
const timeoutMs = 2_000

export type SigningKeys = {
  /**
   * The key, or undefined where authz has none of that id.
   * @throws Problem authorization_unavailable where authz cannot be asked
   */
  find(kid: string): Promise<CryptoKey | undefined>
  stop(): Promise<void>
}

export type SigningKeysOptions = {
  bus: Bus
  log: Log
  /** How often the keys are read again. */
  pauseMs: number
  /** A key is no longer published: what it signed is not to be believed from then on. */
  onRemoved: () => void
}

export function createSigningKeys({ bus, log, pauseMs, onRemoved }: SigningKeysOptions): SigningKeys {
  let keys: ReadonlyMap<string, CryptoKey> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const read = async () => {
    const context = newContext(timeoutMs)
    const answer = await call(bus, 'rpc.authz.keys', null, context)
    const imported = await importKeys(answer.keys)
    const former = keys
    keys = imported
    readAt = performance.now()
    if (former && [...former.keys()].some((kid) => !imported.has(kid))) onRemoved()
  }
  const refresh = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  const repeating = repeat({
    name: 'signing keys',
    pauseMs,
    log,
    work: async () => {
      if (keys)
        await refresh().catch((error: unknown) => log.warn({ err: error }, 'the signing keys could not be read'))
    },
  })
  return {
    find: async (kid) => {
      const known = keys?.get(kid)
      if (known || performance.now() - readAt < minRefreshMs) return known
      await refresh().catch((cause: unknown) => {
        throw new Problem('authorization_unavailable', { cause })
      })
      return keys?.get(kid)
    },
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
