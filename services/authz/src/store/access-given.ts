/**
 * The grants that were given since a moment, oldest first, for the events of owners. A grant of a service account is given
 * by an operator's declaration, every other one by its owner.
 */

import type { AccessGiven, AccessGivenRequest } from '@financial-agents/bus/messages/owner-events'
import { type Queryable, statement } from '@financial-agents/postgres/database'

const maxGrants = 500
const firstId = '00000000-0000-0000-0000-000000000000'

export const givenSince = statement(
  'grants_given_since',
  `SELECT grant_id, client_id, owner_id, CASE kind WHEN 'service' THEN 'operator' ELSE 'owner' END AS given_by, created_at
   FROM grants WHERE (created_at, grant_id) > ($1::timestamptz, $2::uuid) ORDER BY created_at, grant_id LIMIT $3`,
)

export async function listAccessGiven(
  db: Queryable,
  { since, after, limit }: AccessGivenRequest,
): Promise<AccessGiven[]> {
  const from = after ? [after.at, after.grant_id] : [since, firstId]
  type Row = Omit<AccessGiven, 'at'> & { created_at: Date }
  const rows = await db.rows<Row>(givenSince, [...from, Math.min(limit, maxGrants)])
  return rows.map(({ created_at, ...row }) => ({ ...row, at: created_at.toISOString() }))
}
