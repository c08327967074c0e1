/**
 * The keys of NATS users (NKEYs, ADR-14): Ed25519 by Node's crypto. The `nats` package computes Ed25519 in JavaScript,
 * which takes 50 ms of CPU at the first signature of a process, and 15 ms at each later one.
 *
 * A key is text: base32 (RFC 4648 §6, without padding) of a prefix, the 32 bytes of the key and a checksum.
 */

import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Authenticator } from 'nats'

/** A user's keys. The server knows the public key, and the process has the seed. */
export type NkeyPair = { seed: string; publicKey: string }

const keyBytes = 32
/** `S` for a seed, then `U` for a user. The two prefixes have five bits each. */
const seedPrefix = Buffer.from([0x95, 0x00])
/** `U` */
const publicPrefix = Buffer.from([0xa0])
/** The DER of an Ed25519 private key (RFC 8410 §7) up to its 32 bytes. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The seed is secret. */
export function createUserKey(): NkeyPair {
  const seed = encode(seedPrefix, randomBytes(keyBytes))
  return { seed, publicKey: publicKeyOf(seed) }
}

/** @throws Error if the text is not the seed of a user */
export function publicKeyOf(seed: string): string {
  return encodePublic(privateKeyOf(seed))
}

/**
 * Signs the challenges of a server with this seed.
 * @throws Error if the text is not the seed of a user
 */
export function nkeyAuthenticatorOf(seed: string): Authenticator {
  const key = privateKeyOf(seed)
  const nkey = encodePublic(key)
  return (nonce) => ({ nkey, sig: nonce ? sign(null, Buffer.from(nonce), key).toString('base64') : '' })
}

function privateKeyOf(seed: string): KeyObject {
  const raw = decode(seedPrefix, seed)
  if (raw === undefined) throw new Error('this is not the seed (SU…) of a NATS user')
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, raw]), format: 'der', type: 'pkcs8' })
}

function encodePublic(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return encode(publicPrefix, Buffer.from(x as string, 'base64url'))
}

function encode(prefix: Buffer, key: Buffer): string {
  const content = Buffer.concat([prefix, key])
  return toBase32(Buffer.concat([content, checksumOf(content)]))
}

/** Returns the 32 bytes of a key with this prefix; undefined if the text is no such key. */
function decode(prefix: Buffer, text: string): Buffer | undefined {
  const all = fromBase32(text)
  const content = all?.subarray(0, -2)
  if (all?.length !== prefix.length + keyBytes + 2 || !content?.subarray(0, prefix.length).equals(prefix))
    return undefined
  return checksumOf(content).equals(all.subarray(-2)) ? content.subarray(prefix.length) : undefined
}

/** CRC-16/XMODEM, the low byte first. */
function checksumOf(content: Buffer): Buffer {
  let crc = 0
  for (const byte of content) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return Buffer.from([crc & 0xff, crc >> 8])
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** Undefined if there is a character outside the alphabet. Bits of the last character that make no byte are ignored. */
function fromBase32(text: string): Buffer | undefined {
  const values = Array.from(text, (character) => alphabet.indexOf(character))
  if (values.includes(-1)) return undefined
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
