/** The grants of owners to clients that are active now, many at a time. */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { effectivePolicy } from '../policy/grant-policy.ts'
import type { Registration } from '../registration/registration.ts'
import { type GrantRow, grantColumns } from './grants.ts'

// By owner alone (OFFSET 0 keeps it so): a client may hold a grant of everybody.
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

/** Of each owner and client, every grant where grant and client both are active and the grant's time is not over. */
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
