/**
 * The customer's view reduced to its state, for services that notify clients. It holds no payload and no facts of the
 * resource.
 */

import type { ChangedRequest, OperationStateView } from '@financial-agents/bus/messages/operation-states'
import { isSubmissionUncertain } from '@financial-agents/contract/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { inFlight, terminal } from './in-flight.ts'

type StateRow = Omit<OperationStateView, 'submission_uncertain' | 'updated_at'> & { updated_at: Date }

const columns = 'id AS operation_id, owner_id, client_id, kind, state, sequence, updated_at'
const inFlightColumns = 'o.id AS operation_id, o.owner_id, o.client_id, o.kind, o.state, o.sequence, o.updated_at'

const states = statement(
  'state_views',
  `SELECT o.* FROM unnest($1::uuid[]) AS item (id)
  CROSS JOIN LATERAL (SELECT ${columns} FROM operations o WHERE o.id = item.id LIMIT 1) o`,
)

/** Unknown operations are absent. */
export async function findStateViews(db: Queryable, ids: readonly string[]): Promise<OperationStateView[]> {
  return (await db.rows<StateRow>(states, [ids.filter(isUuid)])).map(toStateView)
}

// Operations with an outcome are found by their moves in a stretch of time. The others are found by reading all
// operations in flight. The time of a view never falls, so a move's own time may be earlier than the view's. The
// difference is at most the difference between the clocks of two services.
export const changedUntil = statement(
  'state_views_changed',
  `SELECT * FROM (
    SELECT o.* FROM (SELECT DISTINCT operation_id FROM history
      WHERE at > $1::timestamptz - interval '1 minute' AND at <= $4::timestamptz) moved
    CROSS JOIN LATERAL (SELECT ${columns} FROM operations
      WHERE id = moved.operation_id AND state IN (${terminal}) LIMIT 1) o
    UNION ALL
    ${inFlight(inFlightColumns)}
  ) o WHERE (updated_at, operation_id) > ($1::timestamptz, $2::uuid) AND updated_at <= $4::timestamptz
  ORDER BY updated_at, operation_id LIMIT $3`,
)

const firstId = '00000000-0000-0000-0000-000000000000'
const firstStretchMs = 60_000

/**
 * Lists the changes from `since` on, or after the last one taken, oldest first. Reads a stretch of time, and a longer
 * one if the page is not full, until the stretch reaches beyond `now`.
 */
export async function listChangedStateViews(
  db: Queryable,
  { since, after, limit }: ChangedRequest,
  now: Date,
): Promise<OperationStateView[]> {
  const start = after?.updated_at ?? since
  const startMs = Date.parse(start)
  for (let stretchMs = firstStretchMs; ; stretchMs *= 4) {
    const isLast = startMs + stretchMs > now.getTime()
    const until = isLast ? 'infinity' : new Date(startMs + stretchMs)
    const rows = await db.rows<StateRow>(changedUntil, [start, after?.operation_id ?? firstId, limit, until])
    if (isLast || rows.length === limit) return rows.map(toStateView)
  }
}

function toStateView(row: StateRow): OperationStateView {
  return {
    ...row,
    submission_uncertain: isSubmissionUncertain(row.state),
    updated_at: row.updated_at.toISOString(),
  }
}
