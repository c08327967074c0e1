/** The clients that hold a grant of an owner, and the grants by which each acts now. */

import type { GrantedClient } from '@financial-agents/bus/messages/authority'
import { type Queryable, statement } from '@financial-agents/postgres/database'

const ofOwner = statement(
  'owner_clients',
  `SELECT c.client_id, c.registration ->> 'name' AS name,
     coalesce(jsonb_agg(jsonb_build_object('grant_id', g.grant_id, 'created_at', g.created_at) ORDER BY g.created_at)
       FILTER (WHERE g.status = 'active' AND c.status = 'active'), '[]') AS active_grants
   FROM grants g JOIN clients c USING (client_id)
   WHERE g.owner_id = $1 AND g.status <> 'revoked' AND (g.expires_at IS NULL OR g.expires_at > $2)
   GROUP BY c.client_id, c.registration ORDER BY name, c.client_id`,
)

/** Sorted by name. Suspended clients are included, because they may come back. */
export async function listOwnerClients(db: Queryable, ownerId: string, now: Date): Promise<GrantedClient[]> {
  const rows = await db.rows<GrantedClient>(ofOwner, [ownerId, now])
  return rows.map(({ active_grants, ...client }) => ({
    ...client,
    active_grants: active_grants.map(({ grant_id, created_at }) => ({
      grant_id,
      created_at: new Date(created_at).toISOString(),
    })),
  }))
}
