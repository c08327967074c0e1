/**
 * Keeps what was read for a while, one read at a time for each key: whoever asks while it is under way waits for it. A
 * read that failed is not kept. Bounded: the oldest entry goes first.
 */

import type { Clock } from './clock.ts'

/** Keeps values for a while, and no more than so many. */
export type ExpiringCache<Value> = {
  get(key: string, load: () => Promise<Value>): Promise<Value>
  drop(key: string): void
  /** Drops whatever key begins so. Looks at every entry. */
  dropAll: (prefix: string) => void
}

type Entry<Value> = { value: Promise<Value>; readAtMs: number }

/** A cache; what `keep` refuses goes to those who wait for it and to nobody after them. */
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
