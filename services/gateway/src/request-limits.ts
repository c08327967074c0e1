/**
 * Token buckets, shared by all replicas within a bounded overshoot: each replica spends from its own bucket, tells the
 * others what was spent, and takes what they tell from its own, into debt where they spent the same tokens at the same
 * time. Over time the sum of all replicas keeps the rate; at once it exceeds the burst at most by what the others can
 * spend within one pause.
 *
 * Invariant: memory is bounded; a bucket that was forgotten is a full one.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { createBoundedMap } from '@financial-agents/dpop/bounded-map'

const exchangePauseMs = 150
const maxBuckets = 100_000
const maxEntriesPerMessage = 2_000
/** How many bursts a bucket may owe: replicas that spent the same burst at once. */
const maxDebtBursts = 16

export type Limit = { ratePerS: number; burst: number }
export type LimitClass = 'grant' | 'address'

export type RequestLimits = {
  /** Spends one token of `key`. @returns 0, or the whole seconds after which there is one */
  take(limitClass: LimitClass, key: string): number
  stop(): void
}

type Bucket = { level: number; at: number }
type Counts = { from: string; spent: [limitClass: LimitClass, key: string, tokens: number][] }

export function startRequestLimits(options: {
  bus: Bus
  /** Names this process to the others. */
  bootId: string
  nowMs: () => number
  limits: Readonly<Record<LimitClass, Limit>>
}): RequestLimits {
  const { bus, bootId, nowMs, limits } = options
  const buckets = {
    grant: createBoundedMap<Bucket>(maxBuckets),
    address: createBoundedMap<Bucket>(maxBuckets),
  }
  const untold = { grant: new Map<string, number>(), address: new Map<string, number>() }

  const bucketOf = (limitClass: LimitClass, key: string): Bucket => {
    const { ratePerS, burst } = limits[limitClass]
    const now = nowMs()
    const bucket = buckets[limitClass].get(key)
    if (bucket === undefined) {
      const full = { level: burst, at: now }
      buckets[limitClass].set(key, full)
      return full
    }
    bucket.level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.at) * ratePerS) / 1_000)
    bucket.at = now
    return bucket
  }
  const tell = () => {
    const spent = (['grant', 'address'] as const).flatMap((limitClass) =>
      [...untold[limitClass]].map(([key, tokens]): Counts['spent'][number] => [limitClass, key, tokens]),
    )
    untold.grant.clear()
    untold.address.clear()
    for (let start = 0; start < spent.length; start += maxEntriesPerMessage) {
      const counts: Counts = { from: bootId, spent: spent.slice(start, start + maxEntriesPerMessage) }
      bus.publish('edge.counts', JSON.stringify(counts))
    }
  }
  bus.hear('edge.counts', (data) => {
    const counts = JSON.parse(Buffer.from(data).toString()) as Counts
    if (counts.from === bootId) return
    for (const [limitClass, key, tokens] of counts.spent) {
      const { ratePerS, burst } = limits[limitClass]
      if (ratePerS === 0) continue
      const bucket = bucketOf(limitClass, key)
      bucket.level = Math.max(-maxDebtBursts * burst, bucket.level - tokens)
    }
  })
  const timer = setInterval(tell, exchangePauseMs)
  return {
    take: (limitClass, key) => {
      const { ratePerS } = limits[limitClass]
      if (ratePerS === 0) return 0
      const bucket = bucketOf(limitClass, key)
      if (bucket.level < 1) return Math.max(1, Math.ceil((1 - bucket.level) / ratePerS))
      bucket.level -= 1
      untold[limitClass].set(key, (untold[limitClass].get(key) ?? 0) + 1)
      return 0
    },
    stop: () => clearInterval(timer),
  }
}
