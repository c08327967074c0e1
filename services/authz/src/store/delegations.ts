/** A grant with its client, as GET /v1/authorization shows it. */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Scope } from '@financial-agents/contract/scopes'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { effectiveGrant } from '../policy/effective-grant.ts'
import type { Registration } from '../registration/registration.ts'
import { statusAt } from './grants.ts'

export type Delegation = {
  grant_id: string
  owner_id: string
  status: 'active' | 'suspended' | 'revoked' | 'expired'
  created_at: Date
  expires_at: Date | null
  scopes: Scope[]
  openid: boolean
  policy: GrantPolicy
  registration: Registration
}

type Row = Omit<Delegation, 'scopes' | 'policy'> & { scopes: string[]; policy: GrantPolicy | null }

const one = statement(
  'delegations_one',
  `SELECT g.grant_id, g.owner_id, g.created_at, g.expires_at, g.scopes, g.openid, g.policy, c.registration,
     ${statusAt('$2')} AS status
   FROM grants g JOIN clients c USING (client_id) WHERE g.grant_id = $1`,
)

/** Returns the grant with its effective scopes and policy. */
export async function findDelegation(db: Queryable, grantId: string, now: Date): Promise<Delegation | undefined> {
  const [row] = await db.rows<Row>(one, [grantId, now])
  return row && { ...row, ...effectiveGrant(row, row.registration) }
}
