/**
 * Changes the limits of a grant for its owner, on the account page.
 *
 * Invariants: a limit never exceeds the client's registration. A limit is raised or added only after a sign-in as
 * recent as a confirmation requires. Both are checked on the row inside the transaction that changes it.
 */

import { confirmationSignInMs } from '@financial-agents/bus/messages/intents'
import type { Ceilings } from '@financial-agents/contract/ceilings'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type Database, statement } from '@financial-agents/postgres/database'
import { effectivePolicy } from '../policy/grant-policy.ts'
import { onlyLowers } from '../policy/only-lowers.ts'
import type { Registration } from '../registration/registration.ts'
import { recordAudit } from './audit.ts'
import { changeInTurn, recordChange } from './changes.ts'
import { FreshSignInNeeded } from './human-grants.ts'

const activeGrant = statement(
  'grant_ceilings_one',
  `SELECT g.client_id, g.policy, c.registration FROM grants g JOIN clients c USING (client_id)
   WHERE g.grant_id = $1 AND g.owner_id = $2 AND g.status = 'active' AND (g.expires_at IS NULL OR g.expires_at > $3)`,
)
const setPolicy = statement('grant_ceilings_set', 'UPDATE grants SET policy = $2, updated_at = $3 WHERE grant_id = $1')

export type NewCeilings = {
  grant_id: string
  owner_id: string
  ceilings: Ceilings
  /** The time of the owner's sign-in. */
  authenticated_at: Date
  request_id: string | null
  remote_address: string
}

type Row = { client_id: string; policy: GrantPolicy | null; registration: Registration }

/** Returns false if the owner has no such active grant. @throws FreshSignInNeeded */
export function recordCeilings(db: Database, given: NewCeilings, now: Date): Promise<boolean> {
  const { grant_id, owner_id, ceilings, authenticated_at, request_id, remote_address } = given
  return changeInTurn(db, async (tx) => {
    const [row] = await tx.rows<Row>(activeGrant, [grant_id, owner_id, now])
    if (!row) return false
    const before = effectivePolicy(row.registration, row.policy)
    const after = effectivePolicy(row.registration, { ...before, ceilings })
    const isFresh = now.getTime() - authenticated_at.getTime() < confirmationSignInMs
    if (!isFresh && !onlyLowers(before.ceilings, after.ceilings))
      throw new FreshSignInNeeded('a ceiling was to be raised by an old sign-in')
    await tx.rows(setPolicy, [grant_id, JSON.stringify(after), now])
    await recordChange(tx, { grant_id }, now)
    const detail = { before: before.ceilings, after: after.ceilings }
    const about = { client_id: row.client_id, grant_id, owner_id, request_id, remote_address }
    await recordAudit(tx, [{ ...about, at: now, event: 'ceilings_changed', actor: 'owner', detail }])
    return true
  })
}
