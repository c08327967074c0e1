/** Seeded random numbers (mulberry32) for tests that try many inputs: an equal seed gives equal inputs. */

/** A repeatable sequence of random numbers. */
export interface SeededRandom {
  /** An integer of at least 0 and below `bound`. */
  below(bound: number): number
  oneOf<T>(items: readonly T[]): T
}

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
