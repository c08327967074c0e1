/**
 * A map of strings that cannot outgrow its bound, in two generations: writes go to the young one; when that holds half of
 * the bound it becomes the old one and the former old one is dropped whole. An entry that is read in time moves back to
 * the young generation, so what is in use stays.
 *
 * Invariant: never more than `maxEntries` entries, and no bookkeeping per entry (unlike a list-based LRU).
 * Forgetting is always allowed here: use it for caches only, never for a record of what was seen.
 */

/** A map that forgets rather than grows. */
export interface BoundedMap<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  delete(key: string): void
  readonly size: number
}

/**
 * Makes an empty map.
 *
 * @param maxEntries the bound over both generations, at least 2
 * @throws RangeError when the bound is not an integer of at least 2
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
