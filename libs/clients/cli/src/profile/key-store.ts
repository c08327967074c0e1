/**
 * The store of one profile. Keys and tokens are in a folder of their own, one file for each. If there is a keychain,
 * they are sealed (AES-256-GCM) by a key that only the keychain has. Otherwise they are plain files with mode 0600. The
 * durable writes are in another folder and are not sealed: they are no secret, and must outlive a sign-out and a lost
 * keychain.
 */

import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Store } from '@financial-agents/client'
import { fileStore } from '@financial-agents/client/stores/file'
import { CliError } from '../failure.ts'
import type { Keychain } from './keychain.ts'

/** A store for a client, and what a sign-out needs. */
export type KeyStore = Store & {
  /** The place of the keys; undefined while there are none. */
  place(): Promise<'keychain' | 'file' | undefined>
  /** Deletes the keys and tokens, and the sealing key. Durable writes stay. */
  forget(): Promise<void>
}

/** The record that decides for all keys of the profile: the name of the sealing key, or null for plain files. */
type Place = { sealedBy: string | null }
type Sealed = { sealed: string }

const placeName = 'place'

/** If `keychain` finds none, the keys are plain files. */
export function keyStore(
  folders: { keys: string; writes: string },
  keychain: () => Promise<Keychain | undefined>,
): KeyStore {
  const keys = fileStore(folders.keys)
  const writes = fileStore(folders.writes)

  /** Decides once if the keychain seals the keys. Two processes that decide at the same time get the same decision. */
  const choose = async (): Promise<Place> => {
    const kept = (await keys.get(placeName)) as Place | undefined
    if (kept) return kept
    const made = makeSealingKey(await keychain())
    if (await keys.set(placeName, made, { ifAbsent: true })) return made
    if (made.sealedBy !== null) (await keychain())?.delete(made.sealedBy)
    return (await keys.get(placeName)) as Place
  }
  const sealingKey = async (name: string): Promise<Buffer> => {
    let secret: string | undefined
    try {
      secret = (await keychain())?.get(name)
    } catch (error) {
      throw lost(folders.keys, error)
    }
    if (secret === undefined) throw lost(folders.keys)
    return Buffer.from(secret, 'base64')
  }
  return {
    get: async (key) => {
      const value = (await keys.get(key)) as Sealed | undefined
      if (value === undefined) return writes.get(key)
      if (typeof value.sealed !== 'string') return value
      const { sealedBy } = await choose()
      return JSON.parse(opened(await sealingKey(sealedBy ?? ''), key, value.sealed)) as unknown
    },
    set: async (key, value, options = {}) => {
      if (options.secret !== true) return writes.set(key, value, options)
      const { sealedBy } = await choose()
      if (sealedBy === null) return keys.set(key, value, options)
      const sealed = seal(await sealingKey(sealedBy), key, JSON.stringify(value))
      return keys.set(key, { sealed } satisfies Sealed, options)
    },
    delete: async (key) => {
      await keys.delete(key)
      await writes.delete(key)
    },
    place: async () => {
      const kept = (await keys.get(placeName)) as Place | undefined
      return kept && (kept.sealedBy === null ? 'file' : 'keychain')
    },
    forget: async () => {
      const kept = (await keys.get(placeName)) as Place | undefined
      if (kept?.sealedBy) (await keychain())?.delete(kept.sealedBy)
      await rm(folders.keys, { recursive: true, force: true })
    },
  }
}

function makeSealingKey(keychain: Keychain | undefined): Place {
  if (!keychain) return { sealedBy: null }
  const name = randomUUID()
  try {
    keychain.set(name, randomBytes(32).toString('base64'))
  } catch {
    return { sealedBy: null }
  }
  return { sealedBy: name }
}

/** The name of the value is authenticated: one value cannot stand in for another. */
function seal(key: Buffer, name: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

function opened(key: Buffer, name: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(name))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
}

function lost(folder: string, cause?: unknown): CliError {
  return new CliError(
    'failed',
    'keychain_unavailable',
    `The keys in ${folder} are sealed by the keychain, and it does not give the key. Unlock it, or give up these keys: financial-agents logout, then financial-agents login.`,
    { cause },
  )
}
