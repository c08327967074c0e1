/**
 * Caches loaded values for a limited time. A key is loaded once at a time: concurrent callers share the same load. A
 * failed load is not cached. When the cache is full, the oldest entry is dropped.
 */

import type { Clock } from './clock.ts'

/** A cache with a maximum age and a maximum number of entries. */
export type ExpiringCache<Value> = {
  get(key: string, load: () => Promise<Value>): Promise<Value>
  drop(key: string): void
  /** Drops every entry whose key has this prefix. Visits all entries. */
  dropAll: (prefix: string) => void
}

type Entry<Value> = { value: Promise<Value>; readAtMs: number }

/** A value that `keep` rejects is returned to the waiting callers and not cached. */
export function createExpiringCache<Value>(options: {
  clock: Clock
  ttlMs: number
  maxEntries: number
  keep?: (value: Value) => boolean
}): ExpiringCache<Value> {
  const entries = new Map<string, Entry<Value>>()
  const keep = options.keep ?? (() => true)
  const isFresh = (entry: Entry<Value>) => options.clock.nowMs() - entry.readAtMs < options.ttlMs

  function read(key: string, load: () => Promise<Value>): Promise<Value> {
    const entry: Entry<Value> = { value: load(), readAtMs: options.clock.nowMs() }
    entries.delete(key)
    entries.set(key, entry)
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    entry.value.then((value) => {
      if (!keep(value)) forget()
    }, forget)
    for (const oldest of entries.keys()) {
      if (entries.size <= options.maxEntries) break
      entries.delete(oldest)
    }
    return entry.value
  }

  return {
    get: (key, load) => {
      const entry = entries.get(key)
      return entry && isFresh(entry) ? entry.value : read(key, load)
    },
    drop: (key) => {
      entries.delete(key)
    },
    dropAll: (prefix) => {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key)
    },
  }
}
