/**
 * The provider's answers to submissions: in the last hour, and day by day (UTC). The figures of a day that is over
 * never change, so a process reads them once. The figures of today and of the last hour are read again after a minute.
 */

import { ask } from '@financial-agents/bus/ask'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { SubmissionHealth } from '@financial-agents/bus/messages/operator'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** An outage of the bus delays moves. The figures of a day count as final this long after its end. */
const settledMs = hourMs

export type ProviderHealth = {
  lastHour: SubmissionHealth[]
  /** Oldest first; the day under way comes last. */
  days: { day: string; kinds: SubmissionHealth[] }[]
}

/** @throws Unavailable */
export type ReadProviderHealth = (days: number, context: MessageContext) => Promise<ProviderHealth>

export function createProviderHealth({ bus, clock }: { bus: Bus; clock: Clock }): ReadProviderHealth {
  const over = createExpiringCache<SubmissionHealth[]>({ clock, ttlMs: 32 * dayMs, maxEntries: 32 })
  const current = createExpiringCache<SubmissionHealth[]>({ clock, ttlMs: 60_000, maxEntries: 4 })
  return async (count, context) => {
    const nowMs = clock.nowMs()
    const today = Math.floor(nowMs / dayMs)
    const read = (since: number, until: number) => {
      const request = { since: new Date(since).toISOString(), until: new Date(until).toISOString() }
      return ask(bus, 'int.operations.submission-health', request, context)
    }
    const days: ProviderHealth['days'] = []
    // One after the other: operators have few connections to the database.
    for (let day = today - count + 1; day <= today; day += 1) {
      const since = day * dayMs
      const until = since + dayMs
      const cache = until + settledMs < nowMs ? over : current
      const name = new Date(since).toISOString().slice(0, 10)
      days.push({ day: name, kinds: await cache.get(name, () => read(since, until)) })
    }
    return { lastHour: await current.get('hour', () => read(nowMs - hourMs, nowMs + dayMs)), days }
  }
}
