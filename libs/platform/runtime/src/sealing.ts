/**
 * Encrypts stored values with AES-256-GCM. The envelope holds the key's id and is bound to a context, so a sealed value
 * cannot be moved to another row. The first key seals, and all keys open. Keys are rotated by adding a new first key.
 *
 * Envelope: 1 byte length of the key id, key id, 12 bytes IV, ciphertext, 16 bytes tag.
 */

import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { z } from 'zod'

/** Seals and opens values, each for one context. */
export type Sealer = {
  /** Prefix of every envelope that this sealer writes (length and id of the key). */
  readonly prefix: Buffer
  /**
   * @param context the object to which the value belongs, for example the operation id; needed again to open the value
   */
  seal(plain: Buffer, context: string): Buffer
  /** @throws if the envelope was changed, its key is unknown, or the context differs */
  open(sealed: Buffer, context: string): Buffer
}

const ivBytes = 12
const tagBytes = 16

/** A key of a ring; `key` has 32 bytes. */
export type SealingKey = z.output<typeof sealingKeys>[number]

/** Comma-separated `id:base64` pairs of 32-byte keys. The first key seals. */
export const sealingKeys = z.string().transform((value, issues) => {
  const keys = value.split(',').map((pair) => {
    const [id = '', key = ''] = pair.split(':')
    return { id, key: Buffer.from(key, 'base64') }
  })
  if (keys.some((entry) => !/^[A-Za-z0-9_-]{1,32}$/.test(entry.id) || entry.key.length !== 32))
    issues.addIssue({ code: 'custom', message: 'must be id:base64 pairs of 32-byte keys, comma-separated' })
  return keys
})

/** The first key seals. */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  // Key objects, because a key in bytes is imported again by every call, which takes longer than the encryption.
  const imported = keys.map((entry) => ({ id: entry.id, key: createSecretKey(entry.key) }))
  const byId = new Map(imported.map((entry) => [entry.id, entry.key]))
  const [first] = imported
  if (!first) throw new Error('a sealer needs a key')
  const prefix = Buffer.concat([Buffer.of(first.id.length), Buffer.from(first.id)])
  return {
    prefix,
    seal: (plain, context) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', first.key, iv).setAAD(Buffer.from(context))
      return Buffer.concat([prefix, iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open: (sealed, context) => {
      const idEnd = 1 + (sealed[0] ?? 0)
      const key = byId.get(sealed.toString('utf8', 1, idEnd))
      if (!key || sealed.length < idEnd + ivBytes + tagBytes) throw new Error('the sealed value cannot be opened')
      const iv = sealed.subarray(idEnd, idEnd + ivBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
      const plain = decipher.update(sealed.subarray(idEnd + ivBytes, sealed.length - tagBytes))
      return Buffer.concat([plain, decipher.final()])
    },
  }
}
