/** Finds the active grants of many owners and clients at once. */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { effectivePolicy } from '../policy/grant-policy.ts'
import type { Registration } from '../registration/registration.ts'
import { type GrantRow, grantColumns } from './grants.ts'

// The lookup uses only the owner (OFFSET 0 enforces that), because a client may hold grants of all owners.
const ofClients = statement(
  'grants_active_of_clients',
  `SELECT ${grantColumns},
     ARRAY (SELECT scope FROM unnest(g.scopes) AS scope WHERE c.registration -> 'scopes' ? scope) AS scopes
   FROM unnest($1::uuid[], $2::text[]) AS item (owner_id, client_id)
   CROSS JOIN LATERAL (SELECT * FROM grants WHERE owner_id = item.owner_id OFFSET 0) g
   JOIN clients c ON c.client_id = g.client_id
   WHERE g.client_id = item.client_id AND g.status = 'active' AND (g.expires_at IS NULL OR g.expires_at > $3)
     AND c.status = 'active'`,
)

type Row = Omit<GrantRow, 'policy' | 'active'> & { policy: GrantPolicy | null; registration: Registration }

/** Returns, for each owner and client, every grant that is active and not expired and whose client is active. */
export async function listActiveGrants(
  db: Queryable,
  clients: readonly { owner_id: string; client_id: string }[],
  now: Date,
): Promise<Omit<GrantRow, 'active'>[]> {
  const named = clients.filter(({ owner_id }) => isUuid(owner_id))
  if (named.length === 0) return []
  const rows = await db.rows<Row>(ofClients, [
    named.map(({ owner_id }) => owner_id),
    named.map(({ client_id }) => client_id),
    now,
  ])
  return rows.map(({ registration, policy, ...rest }) => ({ ...rest, policy: effectivePolicy(registration, policy) }))
}
