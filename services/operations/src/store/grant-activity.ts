/**
 * The last operation of each grant, and the number of its operations without an outcome. The newest of each kind and
 * outcome comes from its index, the rest from the operations in flight.
 */

import type { GrantActivity } from '@financial-agents/bus/messages/operator'
import { operationKinds } from '@financial-agents/operation-machine/kinds'
import { terminalStates } from '@financial-agents/operation-machine/machine'
import { type Database, statement } from '@financial-agents/postgres/database'
import { firstOfRanges } from '@financial-agents/postgres/first-of-ranges'
import { type OperatorRow, operatorColumns, toOperatorOperation } from './operator-rows.ts'

const newest = 'ORDER BY created_at DESC, id DESC LIMIT 1'

export const grantActivity = statement(
  'grant_activity',
  `WITH flying AS MATERIALIZED (
    SELECT id, grant_id, created_at FROM operations WHERE unsettled AND grant_id = ANY ($1::text[]))
  SELECT item.grant_id AS asked, (SELECT count(*) FROM flying WHERE grant_id = item.grant_id) AS in_flight, o.*
  FROM unnest($1::text[]) WITH ORDINALITY AS item (grant_id, position)
  LEFT JOIN LATERAL (SELECT id FROM (
      SELECT id, created_at FROM flying WHERE grant_id = item.grant_id
      UNION ALL
      SELECT one.id, one.created_at FROM unnest($2::text[]) AS kinds (kind)
      CROSS JOIN unnest($3::text[]) AS outcomes (outcome)
      CROSS JOIN LATERAL (SELECT id, created_at FROM operations
        WHERE grant_id <> '' AND grant_id = item.grant_id AND kind = kinds.kind AND outcome = outcomes.outcome
        ${newest}) one) any_state
    ${newest}) last ON true
  LEFT JOIN LATERAL (SELECT ${operatorColumns.join(', ')} FROM operations WHERE id = last.id LIMIT 1) o ON true
  ORDER BY item.position`,
)

/** The parameters of the statement for these grants. */
export function activityOf(grantIds: readonly string[]): unknown[] {
  return [grantIds, operationKinds, terminalStates]
}

/** Lists one row for each grant, in the order asked. Grants without operations are included. */
export async function listGrantActivity(db: Database, grantIds: readonly string[]): Promise<GrantActivity[]> {
  const asked = [...new Set(grantIds)].filter((id) => !id.includes('\0'))
  type Row = { asked: string; in_flight: number } & (OperatorRow | { id: null })
  const rows = await firstOfRanges<Row>(db, grantActivity, activityOf(asked))
  return rows.map((row) => ({
    grant_id: row.asked,
    operations_in_flight: row.in_flight,
    last: row.id === null ? null : toOperatorOperation(row),
  }))
}
