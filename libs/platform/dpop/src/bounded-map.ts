/**
 * A map of strings with a bound, in two generations. Writes go to the young generation. When it holds half of the
 * bound, it becomes the old generation, and the former old generation is dropped. Reading an old entry moves it back to
 * the young generation, so entries in use stay.
 *
 * Invariant: the map holds at most `maxEntries` entries, without bookkeeping per entry (unlike a list-based LRU). Any
 * entry may be forgotten at any time, so use the map for caches only, never as a record of seen values.
 */

/** A map that forgets entries instead of growing beyond its bound. */
export interface BoundedMap<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  readonly size: number
}

/**
 * @param maxEntries the bound over both generations, at least 2
 * @throws RangeError if the bound is not an integer of at least 2
 */
export function createBoundedMap<V>(maxEntries: number): BoundedMap<V> {
  if (!Number.isInteger(maxEntries) || maxEntries < 2) throw new RangeError('maxEntries must be an integer from 2')
  const generationSize = Math.floor(maxEntries / 2)
  let young = new Map<string, V>()
  let old = new Map<string, V>()

  function set(key: string, value: V): void {
    if (young.size >= generationSize && !young.has(key)) {
      old = young
      young = new Map()
    }
    old.delete(key)
    young.set(key, value)
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const survivor = old.get(key)
      if (survivor !== undefined) set(key, survivor)
      return survivor
    },
    set,
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
    get size() {
      return young.size + old.size
    },
  }
}
