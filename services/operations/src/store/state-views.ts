/**
 * The customer's view reduced to its state, for services that notify clients. It holds no payload and no facts of the
 * resource.
 */

import type { ChangedRequest, OperationStateView } from '@financial-agents/bus/messages/operation-states'
import { isSubmissionUncertain } from '@financial-agents/operation-machine/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

type StateRow = Omit<OperationStateView, 'submission_uncertain' | 'updated_at'> & { updated_at: Date }

const columns = 'id AS operation_id, owner_id, client_id, kind, state, sequence, updated_at'

const states = statement(
  'state_views',
  `SELECT o.* FROM unnest($1::uuid[]) AS item (id)
  CROSS JOIN LATERAL (SELECT ${columns} FROM operations o WHERE o.id = item.id LIMIT 1) o`,
)

/** Reads the states that these operations have for their clients. Unknown operations are absent. */
export async function findStateViews(db: Queryable, ids: readonly string[]): Promise<OperationStateView[]> {
  return (await db.rows<StateRow>(states, [ids.filter(isUuid)])).map(toStateView)
}

// Operations with an outcome are found by its time. The others are read as a whole, which is no more than what is in
// flight.
const changed = statement(
  'state_views_changed',
  `SELECT * FROM (
    (SELECT ${columns} FROM operations WHERE settled_at IS NOT NULL AND (settled_at, id) > ($1::timestamptz, $2::uuid)
      ORDER BY settled_at, id LIMIT $3)
    UNION ALL
    (SELECT ${columns} FROM operations WHERE unsettled AND (updated_at, id) > ($1::timestamptz, $2::uuid)
      ORDER BY updated_at, id LIMIT $3)
  ) o ORDER BY updated_at, operation_id LIMIT $3`,
)

const firstId = '00000000-0000-0000-0000-000000000000'

/** Lists the changes from `since` on, or after the last one taken, oldest first. */
export async function listChangedStateViews(
  db: Queryable,
  { since, after, limit }: ChangedRequest,
): Promise<OperationStateView[]> {
  const values = [after?.updated_at ?? since, after?.operation_id ?? firstId, limit]
  return (await db.rows<StateRow>(changed, values)).map(toStateView)
}

function toStateView(row: StateRow): OperationStateView {
  return {
    ...row,
    submission_uncertain: isSubmissionUncertain(row.state),
    updated_at: row.updated_at.toISOString(),
  }
}
