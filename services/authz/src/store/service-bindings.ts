/**
 * The connection that a service account acts over. It is fixed once for each declaration. Only a new declaration by an
 * operator (`recordGrantsResumed`) gives the account another connection.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

/** A service account whose connection is not fixed yet. */
export type Unfixed = { grant_id: string; owner_id: string; declared_at: Date }

const unfixed = statement(
  'service_bindings_unfixed',
  `SELECT grant_id, owner_id, coalesce(declared_at, created_at) AS declared_at FROM grants
   WHERE kind = 'service' AND status = 'active' AND binding_id IS NULL ORDER BY grant_id LIMIT $1`,
)
const fix = statement(
  'service_bindings_fix',
  `UPDATE grants SET binding_id = coalesce(binding_id, $2) WHERE grant_id = $1 AND kind = 'service' RETURNING binding_id`,
)

/** Returns at most `limit` accounts. */
export function listUnfixed(db: Queryable, limit: number): Promise<Unfixed[]> {
  return db.rows<Unfixed>(unfixed, [limit])
}

/** Returns the account's connection: this one, or the one that was fixed before. */
export async function fixBinding(db: Queryable, grantId: string, bindingId: string): Promise<string | null> {
  const [row] = await db.rows<{ binding_id: string }>(fix, [grantId, bindingId])
  return row?.binding_id ?? null
}
