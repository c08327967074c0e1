/**
 * Request limits shared by all replicas within a bounded overshoot: each replica spends from its own buckets, tells the
 * others what was spent, and takes what they tell from its own, into debt where they spent the same tokens at the same time.
 * Over time the sum of all replicas keeps the rate. Within any t seconds n replicas let through at most
 * n × burst + rate × (t + (n − 1) × 0.25 s) requests of a key, and one burst more for each that joined in that time.
 *
 * Invariant: `Retry-After` is kept: whoever waited for so long is let through at any replica, as far as nobody spent the key's
 * tokens since, nor within the quarter of a second before at another replica.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { counter } from '@financial-agents/runtime/metrics/metrics'
import { createTokenBuckets, type Limit, type TokenBuckets } from './token-buckets.ts'

const exchangePauseMs = 150
/** The pause and the way over the bus: so much later than here a bucket elsewhere may be full again. */
export const maxLagMs = 250
const maxBuckets = 100_000
const maxEntriesPerMessage = 2_000

const limitClasses = ['grant', 'operator', 'address'] as const
export type LimitClass = (typeof limitClasses)[number]

export type RequestLimits = {
  /** Spends one token of `key`. @returns 0, or the whole seconds after which there is one */
  take(limitClass: LimitClass, key: string): number
  stop(): void
}

const limited = counter('financial_agents.gateway.limited_requests')

type Spent = [limitClass: LimitClass, key: string, tokens: number]
/** `hello`: whoever hears it says something too, so that each knows whether it is alone. */
type Counts = { from: string; spent: Spent[]; hello?: true }

export function startRequestLimits(options: {
  bus: Bus
  isConnected: () => boolean
  /** Names this process to the others. */
  bootId: string
  nowMs: () => number
  limits: Readonly<Record<LimitClass, Limit>>
}): RequestLimits {
  const { bus, bootId, nowMs, limits } = options
  const bucketsOf = (limitClass: LimitClass) => createTokenBuckets({ limit: limits[limitClass], nowMs, maxBuckets })
  const buckets = ofEach<TokenBuckets>(bucketsOf)
  const untold = ofEach(() => new Map<string, number>())
  let isAlone = true

  const publish = (counts: Omit<Counts, 'from'>) =>
    bus.publish('edge.counts', JSON.stringify({ from: bootId, ...counts } satisfies Counts))
  const tell = () => {
    const spent = limitClasses.flatMap((limitClass) =>
      [...untold[limitClass]].map(([key, tokens]): Spent => [limitClass, key, tokens]),
    )
    for (const limitClass of limitClasses) untold[limitClass].clear()
    // Cut off, nothing that needs the bus is served; told late, what was spent would be owed although it was long refilled.
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
      untold[limitClass].set(key, (untold[limitClass].get(key) ?? 0) + 1)
      return 0
    },
    stop: () => clearInterval(timer),
  }
}

function ofEach<Value>(make: (limitClass: LimitClass) => Value): Record<LimitClass, Value> {
  return { grant: make('grant'), operator: make('operator'), address: make('address') }
}
