/**
 * The last operation of each grant, and the number of its operations without an outcome. The last one is found among the
 * operations of the grant's owner and client.
 */

import type { GrantActivity } from '@financial-agents/bus/messages/operator'
import { type Database, statement } from '@financial-agents/postgres/database'
import { firstOfRanges } from '@financial-agents/postgres/first-of-ranges'
import { inFlight } from './in-flight.ts'
import { type OperatorRow, operatorColumns, toOperatorOperation } from './operator-rows.ts'

const newest = 'ORDER BY created_at DESC, id DESC LIMIT 1'

export const grantActivity = statement(
  'grant_activity',
  `WITH flying AS MATERIALIZED (
    SELECT grant_id FROM (${inFlight('o.grant_id')}) flying WHERE grant_id = ANY ($1::text[]))
  SELECT item.grant_id AS asked, (SELECT count(*) FROM flying WHERE grant_id = item.grant_id) AS in_flight, o.*
  FROM unnest($1::text[]) WITH ORDINALITY AS item (grant_id, position)
  LEFT JOIN LATERAL (
    SELECT one.id FROM grants g CROSS JOIN LATERAL (SELECT id, created_at FROM operations
      WHERE owner_id = g.owner_id AND client_id = g.client_id AND grant_id = g.grant_id ${newest}) one
    WHERE g.grant_id = item.grant_id ${newest}) last ON true
  LEFT JOIN LATERAL (SELECT ${operatorColumns.join(', ')} FROM operations WHERE id = last.id LIMIT 1) o ON true
  ORDER BY item.position`,
)

/** Lists one row for each grant, in the order asked. Grants without operations are included. */
export async function listGrantActivity(db: Database, grantIds: readonly string[]): Promise<GrantActivity[]> {
  const asked = [...new Set(grantIds)].filter((id) => !id.includes('\0'))
  type Row = { asked: string; in_flight: number } & (OperatorRow | { id: null })
  const rows = await firstOfRanges<Row>(db, grantActivity, [asked])
  return rows.map((row) => ({
    grant_id: row.asked,
    operations_in_flight: row.in_flight,
    last: row.id === null ? null : toOperatorOperation(row),
  }))
}
