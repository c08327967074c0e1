/**
 * Token buckets by key. A bucket is stored as the time at which it is full again. Refusals therefore leave no trace,
 * and a reported wait is exact.
 *
 * Invariant: memory is bounded, and a forgotten bucket counts as full. If the clock is set back, no wait becomes
 * longer. If it is set forward, a bucket becomes full and not more.
 */

import { createBoundedMap } from '@financial-agents/dpop/bounded-map'

/** `ratePerS` 0 disables the limit. */
export type Limit = { ratePerS: number; burst: number }

export type TokenBuckets = {
  /** Spends one token. @returns 0, or the milliseconds until there is one */
  take(key: string): number
  /** Subtracts tokens that other replicas have spent. The bucket goes into debt if the same tokens were spent twice. */
  owe(key: string, tokens: number): void
}

type Bucket = { fullAtMs: number; seenAtMs: number }

/** The number of bursts that a bucket may owe, because as many replicas may have spent the same burst at once. */
const maxDebtBursts = 16
/** The tolerance of comparisons: current times as numbers are precise to a few tenths of a microsecond only. */
const grainMs = 0.001

export function createTokenBuckets(options: { limit: Limit; nowMs: () => number; maxBuckets: number }): TokenBuckets {
  const { limit, nowMs, maxBuckets } = options
  const { ratePerS, burst } = limit
  if (ratePerS === 0) return { take: () => 0, owe: () => {} }
  const tokenMs = 1_000 / ratePerS
  const latestMs = tokenMs * burst * (1 + maxDebtBursts)
  const buckets = createBoundedMap<Bucket>(maxBuckets)

  const bucketOf = (key: string): Bucket => {
    const now = nowMs()
    const bucket = buckets.get(key)
    if (bucket === undefined) {
      const full = { fullAtMs: now, seenAtMs: now }
      buckets.set(key, full)
      return full
    }
    if (now < bucket.seenAtMs) bucket.fullAtMs -= bucket.seenAtMs - now
    bucket.fullAtMs = Math.max(bucket.fullAtMs, now)
    bucket.seenAtMs = now
    return bucket
  }
  return {
    take: (key) => {
      const bucket = bucketOf(key)
      const waitMs = bucket.fullAtMs - bucket.seenAtMs - (burst - 1) * tokenMs
      if (waitMs > grainMs) return waitMs
      bucket.fullAtMs += tokenMs
      return 0
    },
    owe: (key, tokens) => {
      const bucket = bucketOf(key)
      bucket.fullAtMs = Math.min(bucket.fullAtMs + tokens * tokenMs, bucket.seenAtMs + latestMs)
    },
  }
}
