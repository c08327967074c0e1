/** Metrics of webhooks: attempts by outcome, and the lateness of deliveries. */

import { statement } from '@financial-agents/postgres/database'
import { maxRows, outboxFigures, outboxOf } from '@financial-agents/postgres/outbox-figures'
import { counter, observeReading } from '@financial-agents/runtime/metrics/metrics'
import type { Answer } from './attempt.ts'
import { listWaitingHosts } from './claim-store.ts'
import type { Dependencies } from './dependencies.ts'

const attempts = counter('financial_agents.webhooks.attempts')
const ownerAttempts = counter('financial_agents.webhooks.owner_event_attempts')
const disabled = counter('financial_agents.webhooks.disabled_subscriptions')

const maxHosts = 1_000

export const pendingFigures = statement(
  'pending_figures',
  `SELECT count(*) AS pending FROM (
     SELECT 1 FROM deliveries WHERE status = 'pending' ORDER BY host, next_attempt_at LIMIT ${maxRows}) pending`,
)

/** Counts one attempt, and its subscription if the attempt disabled it. */
export function noteAttempt(answer: Answer, disabledNow: boolean): void {
  attempts.add({ outcome: outcomeOf(answer) })
  if (disabledNow) disabled.add({})
}

/** Counts one attempt at the operator's platform. */
export function noteOwnerEvent(answer: Answer): void {
  ownerAttempts.add({ outcome: outcomeOf(answer) })
}

/** Events of owners that wait for an attempt, by the time at which they were to be sent. */
export const ownerOutbox = outboxOf(
  'owner events',
  `SELECT next_attempt_at AS since FROM owner_events WHERE status = 'pending' ORDER BY next_attempt_at`,
)

/**
 * Reports pending deliveries. The oldest is the first row of the host that waits longest, because the rows of a host
 * are in order.
 */
export function observeDeliveries({ db, clock }: Pick<Dependencies, 'db' | 'clock'>): void {
  disabled.startAtZero([{}])
  const outbox = 'deliveries'
  observeReading({
    name: `outbox ${outbox}`,
    read: async () => {
      const [[row], hosts] = await Promise.all([
        db.rows<{ pending: number }>(pendingFigures),
        listWaitingHosts(db, '', maxHosts),
      ])
      const lateMs = hosts.map(({ next_attempt_at }) => clock.nowMs() - next_attempt_at.getTime())
      return outboxFigures(outbox, row?.pending ?? 0, Math.max(0, ...lateMs))
    },
  })
}

function outcomeOf({ statusCode }: Answer): string {
  if (statusCode === null) return 'no_answer'
  if (statusCode === 410) return 'gone'
  const outcomes = ['other', 'other', 'delivered', 'redirected', 'client_error', 'server_error']
  return outcomes[Math.floor(statusCode / 100)] ?? 'other'
}
