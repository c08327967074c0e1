/**
 * Seeded random numbers for tests that try many inputs: the same seed gives the same inputs. (mulberry32)
 */

/** Random numbers that come again with the seed. */
export interface SeededRandom {
  /** An integer from 0 to below `bound`. */
  below(bound: number): number
  /** One of the items. */
  oneOf<T>(items: readonly T[]): T
}

/** Random numbers of a seed. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  function below(bound: number): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
  return { below, oneOf: (items) => items[below(items.length)] as (typeof items)[number] }
}
