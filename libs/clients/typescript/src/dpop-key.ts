/**
 * The key to which tokens are bound (DPoP, RFC 9449). It is made once and kept: a grant belongs to the key with which it was
 * obtained. Where the store keeps CryptoKeys, the private key cannot be exported.
 */

import type { CryptoKey, Jwk } from './jwk.ts'
import type { Store } from './store.ts'

type KeyPair = { publicKey: CryptoKey; privateKey: CryptoKey }
type KeptKey = KeyPair | { jwk: Jwk }

const name = 'dpop-key'
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }

/** Returns the kept key, or makes and keeps one. Two processes that make a key at the same time get the same key. */
export async function dpopKey(store: Store): Promise<KeyPair> {
  const kept = (await store.get(name)) as KeptKey | undefined
  if (kept) return pairOf(kept)
  const extractable = store.keepsKeys !== true
  const pair = await crypto.subtle.generateKey(algorithm, extractable, ['sign', 'verify'])
  const value = extractable ? { jwk: (await crypto.subtle.exportKey('jwk', pair.privateKey)) as Jwk } : pair
  if (await store.set(name, value, { ifAbsent: true, secret: true })) return pairOf(value)
  return pairOf((await store.get(name)) as KeptKey)
}

async function pairOf(kept: KeptKey): Promise<KeyPair> {
  if (!('jwk' in kept)) return kept
  const { kty, crv, x, y, d } = kept.jwk
  const [publicKey, privateKey] = await Promise.all([
    crypto.subtle.importKey('jwk', { kty, crv, x, y } as object, algorithm, true, ['verify']),
    crypto.subtle.importKey('jwk', { kty, crv, x, y, d } as object, algorithm, false, ['sign']),
  ])
  return { publicKey, privateKey }
}
