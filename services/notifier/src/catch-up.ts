/**
 * Catches up after an outage that was longer than the stream keeps its messages. The notifier asks operations for the
 * changes since then, and notifies of the present states. A stored time tells how far transitions were seen. A
 * transition that arrives twice is recorded once.
 */

import { newContext } from '@financial-agents/bus/headers'
import type { OperationStateView } from '@financial-agents/bus/messages/operation-states'
import { call } from '@financial-agents/bus/rpc'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { repeat, type Wakeable } from '@financial-agents/runtime/repeat'
import type { Dependencies } from './dependencies.ts'
import { isReported, type Moved } from './event-types.ts'
import { recordDeliveries } from './new-deliveries.ts'

/** Far shorter than the retention of the stream. */
const awayAfterMs = 10 * 60_000
/** Transitions arrive later than the time that they carry, and not in its order. */
const overlapMs = 5 * 60_000
const pageSize = 500
const patienceMs = 10_000

export const begin = statement(
  'seen_begin',
  'INSERT INTO seen_transitions (until) VALUES ($1) ON CONFLICT (singleton) DO NOTHING',
)
export const seen = statement('seen_until', 'SELECT until FROM seen_transitions')
export const advance = statement('seen_advance', 'UPDATE seen_transitions SET until = $1 WHERE until < $1')
export const anySubscription = statement('subscriptions_any', 'SELECT 1 FROM subscriptions LIMIT 1')

type CatchUpDependencies = Pick<Dependencies, 'bus' | 'db' | 'clock' | 'log'> & {
  pauseMs: number
  onDue: () => void
  /** Notes the payments among the moves; undefined if the operator has no endpoint. */
  note?: ((moves: readonly Moved[]) => Promise<void>) | undefined
}

export type CatchingUp = Wakeable & { noteSeen(atMs: number): void }

export function startCatchingUp(dependencies: CatchUpDependencies): CatchingUp {
  const { db, clock } = dependencies
  let seenMs = 0
  const repeating = repeat({
    name: 'catch up',
    pauseMs: dependencies.pauseMs,
    log: dependencies.log,
    work: async () => {
      const now = clock.now()
      await db.rows(begin, [now])
      const [row] = await db.rows<{ until: Date }>(seen)
      if (!row) return
      // The outage is validated before newer transitions move the stored time. Otherwise the missed ones would never be
      // asked for.
      if (now.getTime() - row.until.getTime() > awayAfterMs) await catchUp(dependencies, row.until, now)
      else await recordSeen(db, Math.min(seenMs, now.getTime()))
    },
  })
  return {
    ...repeating,
    noteSeen: (atMs) => {
      seenMs = Math.max(seenMs, atMs)
    },
  }
}

async function recordSeen(db: Queryable, untilMs: number): Promise<void> {
  if (untilMs > 0) await db.rows(advance, [new Date(untilMs)])
}

async function catchUp(dependencies: CatchUpDependencies, until: Date, now: Date): Promise<void> {
  const { db, bus } = dependencies
  const anybody = dependencies.note ? [true] : await db.rows(anySubscription)
  const since = new Date(until.getTime() - overlapMs).toISOString()
  let after: { updated_at: string; operation_id: string } | null = null
  while (anybody.length > 0) {
    const request = { since, after, limit: pageSize }
    const views: OperationStateView[] = await call(bus, 'int.operations.changed', request, newContext(patienceMs))
    if ((await recordDeliveries(db, views.flatMap(toMove), (moved) => moved, now)) > 0) dependencies.onDue()
    await dependencies.note?.(views.flatMap(toMove))
    const last = views.at(-1)
    if (!last || views.length < pageSize) break
    after = { updated_at: last.updated_at, operation_id: last.operation_id }
  }
  await recordSeen(db, now.getTime())
}

function toMove({ updated_at, submission_uncertain: _derived, ...view }: OperationStateView): Moved[] {
  return isReported(view) ? [{ ...view, at: updated_at }] : []
}
