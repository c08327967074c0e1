/**
 * The only source of randomness: a seed gives the same numbers on every machine. There are two streams. A change in the
 * ids that the real code draws therefore does not change the faults of a seed.
 */

/** sfc32: small, fast, and good enough for choosing faults. */
export function createRandom(seed: number, stream: number): () => number {
  let [a, b, c, d] = [0x9e3779b9 ^ seed, 0x243f6a88 ^ stream, 0xb7e15162, 1]
  const next = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return t >>> 0
  }
  for (let i = 0; i < 12; i += 1) next()
  return () => next() / 0x1_0000_0000
}

/** Random choices from a stream of numbers in [0, 1). */
export type Chance = {
  /** True with this probability, between 0 and 1. */
  happens(probability: number): boolean
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number
  /** A number in [from, to). */
  between(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
}

export function chanceOf(random: () => number): Chance {
  return {
    happens: (probability) => random() < probability,
    whole: (from, to) => from + Math.floor(random() * (to - from + 1)),
    between: (from, to) => from + random() * (to - from),
    pick: (items) => {
      const item = items[Math.floor(random() * items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A random UUID of version 4, or of version 7 if a time is given. */
export function uuidFrom(random: () => number, timeMs?: number): string {
  const words = [random(), random(), random(), random()].map((value) => Math.floor(value * 0x1_0000_0000))
  const bytes: number[] = words.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255])
  if (timeMs !== undefined) for (let i = 0; i < 6; i += 1) bytes[i] = Math.floor(timeMs / 2 ** (8 * (5 - i))) % 256
  bytes[6] = ((bytes[6] ?? 0) & 15) | (timeMs === undefined ? 0x40 : 0x70)
  bytes[8] = ((bytes[8] ?? 0) & 63) | 0x80
  const text = bytes.map((byte) => hex[byte]).join('')
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}
