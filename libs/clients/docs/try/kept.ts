/**
 * The memory of the page, by what a loss and a theft of each part would mean.
 *
 * - The DPoP key is in IndexedDB, as a key that no script can export.
 * - The state of a sign-in under way is in the session storage, because the browser leaves the page meanwhile. One answer ends it.
 * - Tokens are in the memory of the page alone. A reload forgets them.
 * - The idempotency key and the request of a write are in the session storage, because a reload must not make a second key.
 */

import { memoryStore, type Store } from '@financial-agents/client'
import { indexedDbStore } from '@financial-agents/client/stores/indexeddb'

const prefix = 'docs-try/'

export function tryStore(): Store {
  const keys = indexedDbStore('docs-try')
  const memory = memoryStore()
  const storeOf = (key: string): Store => {
    if (key.endsWith('/dpop-key')) return keys
    return key.includes('/sign-in/') ? session : memory
  }
  return {
    keepsKeys: true,
    get: (key) => storeOf(key).get(key),
    set: (key, value, options) => storeOf(key).set(key, value, options),
    delete: (key) => storeOf(key).delete(key),
  }
}

const session: Store = {
  get: async (key) => readSession(key),
  set: async (key, value) => {
    writeSession(key, value)
    return true
  },
  delete: async (key) => sessionStorage.removeItem(prefix + key),
}

/** Reads a value of this tab; undefined if there is none. */
export function readSession(key: string): unknown {
  const text = sessionStorage.getItem(prefix + key)
  return text === null ? undefined : JSON.parse(text)
}

/** Keeps a value for this tab. */
export function writeSession(key: string, value: unknown): void {
  sessionStorage.setItem(prefix + key, JSON.stringify(value))
}

/** A write as the page keeps it: its key, and what was sent with it. */
export type KeptWrite = { key: string; sent?: { given: [string, string][]; body: string | undefined } }

/** Returns the write of an operation. The key of a new one is kept before anybody sees it. */
export function keptWrite(operation: string): KeptWrite {
  return (readSession(`write/${operation}`) as KeptWrite | undefined) ?? newWrite(operation)
}

/** Makes a new key: the next request is another write. */
export function newWrite(operation: string): KeptWrite {
  const write = { key: `docs-try-${crypto.randomUUID()}` }
  writeSession(`write/${operation}`, write)
  return write
}

/** Keeps what is about to be sent with the key. */
export function keepSent(operation: string, write: KeptWrite): void {
  writeSession(`write/${operation}`, write)
}
