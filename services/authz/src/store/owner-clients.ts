/** The clients that hold a grant of an owner: who loses something when the owner's connection ends. */

import type { OwnerClient } from '@financial-agents/bus/messages/authority'
import { type Queryable, statement } from '@financial-agents/postgres/database'

const ofOwner = statement(
  'owner_clients',
  `SELECT DISTINCT c.client_id, c.registration ->> 'name' AS name
   FROM grants g JOIN clients c USING (client_id)
   WHERE g.owner_id = $1 AND g.status <> 'revoked' AND (g.expires_at IS NULL OR g.expires_at > $2)
   ORDER BY name, c.client_id`,
)

/** By name; a suspended client is among them, for it may come back. */
export async function listOwnerClients(db: Queryable, ownerId: string, now: Date): Promise<OwnerClient[]> {
  return db.rows<OwnerClient>(ofOwner, [ownerId, now])
}
