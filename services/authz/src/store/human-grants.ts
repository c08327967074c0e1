/**
 * Grants of human owners: given by consent, extended by each authorization, ended by anyone concerned.
 *
 * Invariants: an owner has one grant to a client that is not revoked; its scopes are never more than the client's ceiling
 * and its policy never wider than the registered one; a suspended grant is replaced, never resumed, by a consent after a
 * sign-in that is later than the suspension.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Scope } from '@financial-agents/contract/scopes'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { effectiveGrant } from '../policy/effective-grant.ts'
import { effectivePolicy } from '../policy/grant-policy.ts'
import type { Registration } from '../registration/registration.ts'
import { type AuditEntry, recordAudit } from './audit.ts'
import { changeInTurn, recordChange } from './changes.ts'
import { revokeGrantWithin } from './grant-status.ts'

/** How long a grant holds after the last authorization: no refresh token outlives it. */
export const grantLifetimeMs = 90 * 86_400_000

export type HumanGrant = {
  grant_id: string
  client_id: string
  owner_id: string
  subject: string
  /** Of the contract, within the client's ceiling as it is now. */
  scopes: Scope[]
  openid: boolean
  status: 'active' | 'suspended' | 'revoked'
  status_reason: string | null
  status_changed_at: Date
  /** As it holds now: never wider than what the client is registered with. */
  policy: GrantPolicy
  created_at: Date
  expires_at: Date
}

export type Consent = {
  owner_id: string
  client_id: string
  subject: string
  scopes: readonly string[]
  openid: boolean
  policy: GrantPolicy
  /** Under which this client may pay again, by the grant that comes of this. */
  mandate_ids: readonly string[]
  /** When the owner signed in. */
  authenticated_at: Date
  request_id: string | null
  remote_address?: string | null
}

/** A suspended grant is only replaced after a sign-in that is later than the suspension. */
export class FreshSignInNeeded extends Error {
  override readonly name = 'FreshSignInNeeded'
}

/** The client was suspended, or is none that owners give grants to. */
export class ClientNotActive extends Error {
  override readonly name = 'ClientNotActive'
}

type Row = Omit<HumanGrant, 'scopes'> & { scopes: string[]; registration: Registration }

const select = `SELECT g.grant_id, g.client_id, g.owner_id, g.subject, g.scopes, g.openid, g.status, g.status_reason,
    coalesce(g.status_changed_at, g.updated_at) AS status_changed_at, g.policy, g.created_at, g.expires_at,
    c.registration
  FROM grants g JOIN clients c USING (client_id)`

const ofPair = statement(
  'human_grants_of_pair',
  `${select} WHERE g.owner_id = $1 AND g.client_id = $2 AND g.kind = 'human' AND g.status <> 'revoked'`,
)
const byId = statement('human_grants_one', `${select} WHERE g.grant_id = $1 AND g.kind = 'human'`)
const activeClient = statement(
  'human_grants_client',
  `SELECT registration FROM clients WHERE client_id = $1 AND status = 'active' AND profile <> 'service'`,
)
const insert = statement(
  'human_grants_insert',
  `INSERT INTO grants (grant_id, client_id, kind, owner_id, subject, scopes, openid, policy, status, expires_at,
     created_at, updated_at, status_changed_at)
   VALUES ($1, $2, 'human', $3, $4, $5, $6, $7, 'active', $8, $9, $9, $9)`,
)
const widen = statement(
  'human_grants_widen',
  `UPDATE grants SET scopes = $2, openid = $3, policy = $4, expires_at = greatest(expires_at, $5), updated_at = $6
   WHERE grant_id = $1`,
)
const extend = statement(
  'human_grants_extend',
  `UPDATE grants SET expires_at = greatest(expires_at, $2), updated_at = $3
   WHERE grant_id = $1 AND kind = 'human' AND status = 'active' AND expires_at > $3 RETURNING 1`,
)

/** The grant that is not revoked, if any: it may be suspended, or expired and not yet ended. */
export async function findHumanGrant(
  db: Queryable,
  ownerId: string,
  clientId: string,
): Promise<HumanGrant | undefined> {
  const [row] = await db.rows<Row>(ofPair, [ownerId, clientId])
  return row && effective(row)
}

/** Whatever its status. */
export async function findHumanGrantById(db: Queryable, grantId: string): Promise<HumanGrant | undefined> {
  const [row] = await db.rows<Row>(byId, [grantId])
  return row && effective(row)
}

/**
 * Records what the owner consented to: adds to the grant that there is, or makes one. One that is suspended or expired, or
 * that knows the owner by another subject, is ended and replaced.
 * @throws FreshSignInNeeded, ClientNotActive
 */
export function recordConsent(
  db: Database,
  consent: Consent,
  now: Date,
): Promise<{ grant_id: string; created: boolean }> {
  return changeInTurn(db, async (tx) => {
    const [client] = await tx.rows<{ registration: Registration }>(activeClient, [consent.client_id])
    if (!client) throw new ClientNotActive('a consent was given to a client that is not active')
    const [found] = await tx.rows<Row>(ofPair, [consent.owner_id, consent.client_id])
    const kept = found && (await keepOrEnd(tx, found, consent, now))
    const grantId = kept?.grant_id ?? randomUUIDv7()
    const policy = effectivePolicy(client.registration, consent.policy)
    const expiresAt = new Date(now.getTime() + grantLifetimeMs)
    if (kept) {
      // As it holds now, and as the page showed it: a scope outside the ceiling is not kept for a day when it is inside.
      const before = effective(kept)
      const scopes = [...new Set([...before.scopes, ...consent.scopes])]
      await tx.rows(widen, [grantId, scopes, before.openid || consent.openid, JSON.stringify(policy), expiresAt, now])
      await recordChange(tx, { grant_id: grantId }, now)
    } else {
      const { client_id, owner_id, subject, scopes, openid } = consent
      const values = [grantId, client_id, owner_id, subject, scopes, openid, JSON.stringify(policy), expiresAt, now]
      await tx.rows(insert, values)
    }
    await recordAudit(tx, auditOf(consent, grantId, policy, kept === undefined, now))
    return { grant_id: grantId, created: kept === undefined }
  })
}

/** At each authorization; false where the grant is not active any more. No gateway needs to hear of it. */
export async function extendGrant(db: Queryable, grantId: string, expiresAt: Date, now: Date): Promise<boolean> {
  return (await db.rows(extend, [grantId, expiresAt, now])).length === 1
}

/** The grant where it can be added to; undefined where it was ended. */
async function keepOrEnd(tx: Queryable, found: Row, consent: Consent, now: Date): Promise<Row | undefined> {
  if (found.status === 'suspended' && consent.authenticated_at <= found.status_changed_at)
    throw new FreshSignInNeeded('the grant was suspended after the owner signed in')
  const expired = found.expires_at <= now
  if (found.status === 'active' && !expired && found.subject === consent.subject) return found
  const reason = expired ? 'expired' : 'replaced'
  await revokeGrantWithin(tx, found.grant_id, { reason, by: 'owner', request_id: consent.request_id }, now)
  return undefined
}

function auditOf(consent: Consent, grantId: string, policy: GrantPolicy, created: boolean, at: Date): AuditEntry[] {
  const { client_id, owner_id, scopes, openid, mandate_ids, request_id, remote_address = null } = consent
  const about = { at, client_id, grant_id: grantId, owner_id, actor: 'owner' as const, request_id, remote_address }
  const consented: AuditEntry = { ...about, event: 'consented', detail: { scopes, openid, policy } }
  return [
    ...(created ? [{ ...about, event: 'grant_created', detail: {} } as const] : []),
    consented,
    ...(mandate_ids.length > 0 ? [{ ...about, event: 'mandates_consented', detail: { mandate_ids } } as const] : []),
  ]
}

function effective({ registration, ...row }: Row): HumanGrant {
  return { ...row, ...effectiveGrant(row, registration) }
}
