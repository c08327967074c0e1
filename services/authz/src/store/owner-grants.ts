/** The grants of an owner as the account page shows them: what each client may do, and when it last got a token. */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { effectivePolicy } from '../policy/grant-policy.ts'
import type { Registration } from '../registration/registration.ts'

export type GrantOfOwner = {
  grant_id: string
  kind: 'human' | 'service'
  client_id: string
  client_name: string
  profile: Registration['profile']
  logo_uri: string | null
  client_status: 'active' | 'suspended'
  scopes: string[]
  openid: boolean
  status: 'active' | 'suspended' | 'revoked' | 'expired'
  status_reason: string | null
  status_changed_at: Date
  policy: GrantPolicy
  created_at: Date
  /** The grant of a service account has no end of its own. */
  expires_at: Date | null
  /** When the client last got an access token; a token is good for five minutes. */
  last_used_at: Date | null
}

type Row = Omit<GrantOfOwner, 'client_name' | 'profile' | 'logo_uri' | 'policy'> & {
  registration: Registration
  policy: GrantPolicy | null
}

const ofOwner = statement(
  'owner_grants',
  `SELECT g.grant_id, g.kind, g.client_id, c.registration, c.status AS client_status, g.scopes, g.openid,
     CASE WHEN g.status_reason = 'expired' OR (g.status <> 'revoked' AND g.expires_at <= $2) THEN 'expired'
          ELSE g.status END AS status,
     g.status_reason, coalesce(g.status_changed_at, g.updated_at) AS status_changed_at, g.policy, g.created_at,
     g.expires_at, used.at AS last_used_at
   FROM grants g JOIN clients c USING (client_id)
   LEFT JOIN LATERAL (
     SELECT at FROM audit a WHERE a.grant_id = g.grant_id AND a.event IN ('token_issued', 'token_refreshed')
     ORDER BY at DESC LIMIT 1) used ON true
   WHERE g.owner_id = $1 AND (g.status <> 'revoked' OR coalesce(g.status_changed_at, g.updated_at) > $3)
   ORDER BY g.status = 'revoked', g.created_at DESC LIMIT 200`,
)

const keptMs = 30 * 86_400_000

/** Those that are not revoked first; revoked ones of the last 30 days. */
export async function listGrantsOfOwner(db: Queryable, ownerId: string, now: Date): Promise<GrantOfOwner[]> {
  const rows = await db.rows<Row>(ofOwner, [ownerId, now, new Date(now.getTime() - keptMs)])
  return rows.map(({ registration, policy, ...row }) => {
    const ceiling = new Set<string>(registration.scopes)
    return {
      ...row,
      client_name: registration.name,
      profile: registration.profile,
      logo_uri: registration.logo_uri ?? null,
      scopes: row.scopes.filter((scope) => ceiling.has(scope)),
      openid: row.openid && ceiling.has('openid'),
      policy: effectivePolicy(registration, policy),
    }
  })
}
