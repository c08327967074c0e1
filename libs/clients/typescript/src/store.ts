/** The data that the client must not lose: keys, tokens, and the records of durable writes. */

/**
 * Three functions. Values are JSON, and CryptoKeys where `keepsKeys` is true. A store holds secrets: nobody else may read it.
 *
 * `set` has to be durable when it resolves, and atomic: a crash leaves the old value or the new one. With `ifAbsent` it changes
 * nothing and resolves to false if the key is there, also for two processes at once.
 */
export type Store = {
  /** The value, or undefined. */
  get(key: string): Promise<unknown>
  set(key: string, value: unknown, options?: SetOptions): Promise<boolean>
  delete(key: string): Promise<void>
  /** True if values may hold CryptoKeys: DPoP keys then are not extractable. */
  readonly keepsKeys?: boolean
}

/** Options of `set`. */
export type SetOptions = {
  ifAbsent?: boolean
  /** The value is a key or a token, so that a store can keep it apart, for example sealed. Everything else is records of writes. */
  secret?: boolean
}

/** A part of a store: every key begins with `prefix`. */
export function within(store: Store, prefix: string): Store {
  return {
    get: (key) => store.get(prefix + key),
    set: (key, value, options) => store.set(prefix + key, value, options),
    delete: (key) => store.delete(prefix + key),
    keepsKeys: store.keepsKeys === true,
  }
}
