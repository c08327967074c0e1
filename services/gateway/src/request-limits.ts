/**
 * Request limits that all replicas share, with a bounded overshoot. Each replica spends from its own buckets, reports
 * its spending to the others, and subtracts theirs. A bucket goes into debt if replicas spent the same tokens at the
 * same time. Over time, all replicas together keep the rate. Within any t seconds, n replicas accept at most n × burst
 * + rate × (t + (n − 1) × 0.25 s) requests of a key. Each replica that joined in that time adds one burst.
 *
 * Invariant: a client that waits for `Retry-After` is accepted at any replica. The exception is a key whose tokens were
 * spent since then, or at another replica in the quarter of a second before.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { counter } from '@financial-agents/runtime/metrics/metrics'
import { createTokenBuckets, type Limit, type TokenBuckets } from './token-buckets.ts'

const exchangePauseMs = 150
/**
 * The exchange's pause plus the time on the bus: a bucket of another replica may be full again later than here by this
 * much.
 */
export const maxLagMs = 250
const maxBuckets = 100_000
const maxEntriesPerMessage = 2_000

const limitClasses = ['grant', 'operator', 'address'] as const
export type LimitClass = (typeof limitClasses)[number]

export type RequestLimits = {
  /** Spends one token of `key`. @returns 0, or the whole seconds until there is one */
  take(limitClass: LimitClass, key: string): number
  stop(): void
}

const limited = counter('financial_agents.gateway.limited_requests')

type Spent = [limitClass: LimitClass, key: string, tokens: number]
/**
 * The counts that a replica sends. A replica answers `hello` with a message, so that the sender knows that it is not
 * alone.
 */
type Counts = { from: string; spent: Spent[]; hello?: true }

export function startRequestLimits(options: {
  bus: Bus
  isConnected: () => boolean
  /** Names this process to the other replicas. */
  bootId: string
  nowMs: () => number
  limits: Readonly<Record<LimitClass, Limit>>
}): RequestLimits {
  const { bus, bootId, nowMs, limits } = options
  const bucketsOf = (limitClass: LimitClass) => createTokenBuckets({ limit: limits[limitClass], nowMs, maxBuckets })
  const buckets = ofEach<TokenBuckets>(bucketsOf)
  const unreported = ofEach(() => new Map<string, number>())
  let isAlone = true

  const publish = (counts: Omit<Counts, 'from'>) =>
    bus.publish('edge.counts', JSON.stringify({ from: bootId, ...counts } satisfies Counts))
  const tell = () => {
    const spent = limitClasses.flatMap((limitClass) =>
      [...unreported[limitClass]].map(([key, tokens]): Spent => [limitClass, key, tokens]),
    )
    for (const limitClass of limitClasses) unreported[limitClass].clear()
    // Without the bus, no request that needs it is served, so the counts are dropped. If they were sent later, other
    // replicas would subtract tokens that were long refilled.
    if (!options.isConnected()) return
    for (let start = 0; start < spent.length; start += maxEntriesPerMessage)
      publish({ spent: spent.slice(start, start + maxEntriesPerMessage) })
  }
  bus.hear('edge.counts', (data) => {
    const counts = JSON.parse(Buffer.from(data).toString()) as Counts
    if (counts.from === bootId) return
    isAlone = false
    if (counts.hello) publish({ spent: [] })
    for (const [limitClass, key, tokens] of counts.spent) buckets[limitClass]?.owe(key, tokens)
  })
  publish({ spent: [], hello: true })
  const timer = setInterval(tell, exchangePauseMs)
  return {
    take: (limitClass, key) => {
      if (limits[limitClass].ratePerS === 0) return 0
      const waitMs = buckets[limitClass].take(key)
      if (waitMs > 0) {
        limited.add({ limit: limitClass })
        return Math.ceil((waitMs + (isAlone ? 0 : maxLagMs)) / 1_000)
      }
      unreported[limitClass].set(key, (unreported[limitClass].get(key) ?? 0) + 1)
      return 0
    },
    stop: () => clearInterval(timer),
  }
}

function ofEach<Value>(make: (limitClass: LimitClass) => Value): Record<LimitClass, Value> {
  return { grant: make('grant'), operator: make('operator'), address: make('address') }
}
