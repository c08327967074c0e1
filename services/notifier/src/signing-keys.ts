/**
 * The Ed25519 keys that sign webhooks. The first signs, and all are published. Receivers therefore know a new key
 * before it signs, and can still verify with an old one.
 */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

export type SigningKeys = {
  /** The key that signs. */
  current: KeyObject
  /** The public keys as a JWK Set (RFC 8037). */
  jwks: { keys: Record<string, unknown>[] }
}

/** The prefix of the seed in the PKCS #8 form of a private key (RFC 8410 §7). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param seeds 32 bytes each, with the id under which the key is published */
export function openSigningKeys(seeds: readonly { id: string; key: Buffer }[]): SigningKeys {
  const keys = seeds.map(({ id, key }) => ({ id, key: toPrivateKey(key) }))
  const [first] = keys
  if (!first) throw new Error('signing needs a key')
  return { current: first.key, jwks: { keys: keys.map(({ id, key }) => toJwk(id, key)) } }
}

function toPrivateKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
}

function toJwk(kid: string, key: KeyObject): Record<string, unknown> {
  return { ...createPublicKey(key).export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }
}
