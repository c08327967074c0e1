/**
 * The keys that sign access tokens, as authz publishes them. Read at the first use, again every so often, and for a key id
 * never seen, but then no oftener than `minRefreshMs`: made-up ids must not become load on authz.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { type CryptoKey, importJWK, type JWK } from 'jose'

const maxAgeMs = 60_000
const minRefreshMs = 5_000
const timeoutMs = 2_000

export type SigningKeys = {
  /**
   * The key, or undefined where authz has none of that id.
   * @throws Problem authorization_unavailable where authz cannot be asked
   */
  find(kid: string): Promise<CryptoKey | undefined>
}

/** @param onRemoved called when a key is no longer published: what it signed is not to be believed from then on */
export function createSigningKeys(bus: Bus, onRemoved: () => void): SigningKeys {
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
  return {
    find: async (kid) => {
      const age = performance.now() - readAt
      const known = keys?.get(kid)
      if (known) {
        if (age > maxAgeMs) refresh().catch(() => {})
        return known
      }
      if (age < minRefreshMs) return undefined
      await refresh().catch((cause: unknown) => {
        throw new Problem('authorization_unavailable', { cause })
      })
      return keys?.get(kid)
    },
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
