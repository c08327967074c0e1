/**
 * Token buckets by key. A bucket is kept as the moment at which it is full again, so that refusals leave no trace in it and
 * a wait that was told is exactly the wait that is.
 *
 * Invariant: memory is bounded, and a bucket that was forgotten is a full one. A clock that is set back stretches no wait; one
 * that leaps ahead fills a bucket and no more.
 */

import { createBoundedMap } from '@financial-agents/dpop/bounded-map'

/** `ratePerS` 0 is without limit. */
export type Limit = { ratePerS: number; burst: number }

export type TokenBuckets = {
  /** Spends one token. @returns 0, or the milliseconds after which there is one */
  take(key: string): number
  /** Spends what others have spent already: into debt where the same tokens were spent twice. */
  owe(key: string, tokens: number): void
}

type Bucket = { fullAtMs: number; seenAtMs: number }

/** How many bursts a bucket may owe: so many replicas may have spent the same burst at once. */
const maxDebtBursts = 16
/** Times of today have no finer grain as numbers than a few tenths of a microsecond. */
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
