/** A store in a browser. DPoP keys are kept as CryptoKeys that no script can export. */

import type { Store } from '../store.ts'

// The browser types that are used here: the package is built without the DOM's types.
type Events = { addEventListener(name: string, listener: () => void): void }
type Request<Result> = Events & { result: Result; error: unknown }
type ObjectStore = {
  get(key: string): Request<unknown>
  put(value: unknown, key: string): Request<unknown>
  add(value: unknown, key: string): Request<unknown>
  delete(key: string): Request<unknown>
}
type Transaction = Events & { objectStore(name: string): ObjectStore; error: { name?: string } | null }
type Database = {
  createObjectStore(name: string): unknown
  transaction(name: string, mode: string, options?: { durability: 'strict' }): Transaction
}
type Factory = { open(name: string, version: number): Request<Database> }

const table = 'values'

/** Creates the store in the database `name` of this origin. */
export function indexedDbStore(name = 'financial-agents'): Store {
  let opened: Promise<Database> | undefined
  const database = () =>
    (opened ??= open(name).catch((error: unknown) => {
      opened = undefined
      throw error
    }))
  const change = async (act: (values: ObjectStore) => void): Promise<'done' | 'there'> => {
    const transaction = (await database()).transaction(table, 'readwrite', { durability: 'strict' })
    return new Promise((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve('done'))
      transaction.addEventListener('abort', () =>
        transaction.error?.name === 'ConstraintError' ? resolve('there') : reject(asError(transaction.error)),
      )
      act(transaction.objectStore(table))
    })
  }
  return {
    keepsKeys: true,
    get: async (key) => resultOf((await database()).transaction(table, 'readonly').objectStore(table).get(key)),
    // If the key exists, `add` fails, and so does the transaction.
    set: async (key, value, { ifAbsent = false } = {}) =>
      (await change((values) => void (ifAbsent ? values.add(value, key) : values.put(value, key)))) === 'done',
    delete: async (key) => void (await change((values) => void values.delete(key))),
  }
}

function open(name: string): Promise<Database> {
  const factory = (globalThis as { indexedDB?: Factory }).indexedDB
  if (!factory) throw new Error('there is no IndexedDB here: use another store')
  const request = factory.open(name, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(table))
  return resultOf(request)
}

function resultOf<Result>(request: Request<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(asError(request.error)))
  })
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('IndexedDB failed', { cause })
}
