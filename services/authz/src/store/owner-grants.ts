/** The grants of an owner for the account page: each client's permissions, and the time of its last token. */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { GrantOfOwner } from '@financial-agents/owner-pages/grant-of-owner'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { effectiveGrant } from '../policy/effective-grant.ts'
import type { Registration } from '../registration/registration.ts'
import { statusAt } from './grants.ts'

type Row = Omit<GrantOfOwner, 'client_name' | 'publisher' | 'profile' | 'policy'> & {
  registration: Registration
  policy: GrantPolicy | null
}

const ofOwner = statement(
  'owner_grants',
  `SELECT g.grant_id, g.kind, g.client_id, c.registration, c.status AS client_status, g.scopes, g.openid,
     ${statusAt('$2')} AS status,
     g.status_reason, g.status_changed_at,
     g.suspended_for_owner, g.policy, g.created_at, g.expires_at, g.binding_id, l.label, used.at AS last_used_at
   FROM grants g JOIN clients c USING (client_id)
   LEFT JOIN owner_labels l ON l.owner_id = g.owner_id AND l.client_id = g.client_id
   LEFT JOIN LATERAL (
     SELECT at FROM audit a WHERE a.grant_id = g.grant_id AND a.event IN ('token_issued', 'token_refreshed')
     ORDER BY at DESC LIMIT 1) used ON true
   WHERE g.owner_id = $1 AND (g.status <> 'revoked' OR g.status_changed_at > $3)
   ORDER BY g.status = 'revoked', g.created_at DESC LIMIT 200`,
)

const keptMs = 30 * 86_400_000

/** Lists unrevoked grants first, then those revoked within the last 30 days. */
export async function listGrantsOfOwner(db: Queryable, ownerId: string, now: Date): Promise<GrantOfOwner[]> {
  const rows = await db.rows<Row>(ofOwner, [ownerId, now, new Date(now.getTime() - keptMs)])
  return rows.map(({ registration, ...row }) => ({
    ...row,
    ...effectiveGrant(row, registration),
    client_name: registration.name,
    publisher: registration.publisher,
    profile: registration.profile,
  }))
}
