/**
 * Grants of human owners: a consent gives one, and any party can end it.
 *
 * Invariants: an owner has one unrevoked grant to a client. It ends at the moment that the page of its last consent
 * named: no authorization, refresh or other use makes it longer. Its scopes never exceed the client's limit, and its
 * policy is never wider than the registered one. A suspended grant is never resumed: it is replaced by a consent after
 * a sign-in that is later than the suspension. This holds too if it ended meanwhile, unless its owner ended it.
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
import { type RevocationReason, revokeGrantWithin } from './grant-status.ts'

/** The term of a grant after the page of its last consent. No refresh token outlives it. */
export const grantLifetimeMs = 90 * 86_400_000

export type HumanGrant = {
  grant_id: string
  client_id: string
  owner_id: string
  subject: string
  /** Scopes of the contract, within the client's current limit. */
  scopes: Scope[]
  openid: boolean
  status: 'active' | 'suspended' | 'revoked'
  status_reason: string | null
  status_changed_at: Date
  /** The effective policy, never wider than the client's registered one. */
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
  /** The mandates under which this client may pay again, with the grant that this consent gives. */
  mandate_ids: readonly string[]
  /** The time of the owner's sign-in. */
  authenticated_at: Date
  /** The end of the access that the page named. */
  expires_at: Date
  request_id: string | null
  remote_address?: string | null
}

/**
 * The change needs a more recent sign-in: to replace a suspended grant, one after the suspension; to raise a limit,
 * one as recent as a confirmation requires.
 */
export class FreshSignInNeeded extends Error {
  override readonly name = 'FreshSignInNeeded'
}

/** The client is suspended, or is not one that owners give grants to. */
export class ClientNotActive extends Error {
  override readonly name = 'ClientNotActive'
}

/** The reasons of ends that the owner chose. The owner's own word answers a suspension. */
const chosenByOwner: readonly RevocationReason[] = ['revoked_by_owner', 'not_connected_again', 'replaced']

type Row = Omit<HumanGrant, 'scopes'> & { scopes: string[]; registration: Registration }

const select = `SELECT g.grant_id, g.client_id, g.owner_id, g.subject, g.scopes, g.openid, g.status, g.status_reason,
    g.status_changed_at, g.policy, g.created_at, g.expires_at,
    c.registration
  FROM grants g JOIN clients c USING (client_id)`

const ofPair = statement(
  'human_grants_of_pair',
  `${select} WHERE g.owner_id = $1 AND g.client_id = $2 AND g.kind = 'human' AND g.status <> 'revoked'`,
)
// An operator's suspension stays in the row of a grant that ended afterwards. The lookup uses only the owner (OFFSET 0
// enforces that), because a client may hold grants of all owners.
const suspensionOfPair = statement(
  'human_grants_suspension',
  `SELECT since FROM (
     SELECT g.status, g.status_reason, g.suspended_by, g.status_changed_at AS since
     FROM (SELECT * FROM grants WHERE owner_id = $1 OFFSET 0) g WHERE g.client_id = $2 AND g.kind = 'human'
     ORDER BY g.status = 'revoked', g.created_at DESC, g.grant_id DESC LIMIT 1) last
   WHERE status = 'suspended' OR (status = 'revoked' AND suspended_by IS NOT NULL AND status_reason <> ALL ($3))`,
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
const hold = statement(
  'human_grants_hold',
  `SELECT 1 FROM grants
   WHERE grant_id = $1 AND kind = 'human' AND status = 'active' AND expires_at > $2 FOR SHARE`,
)

/** Returns the unrevoked grant, if any. It may be suspended, or expired and not yet ended. */
export async function findHumanGrant(
  db: Queryable,
  ownerId: string,
  clientId: string,
): Promise<HumanGrant | undefined> {
  const [row] = await db.rows<Row>(ofPair, [ownerId, clientId])
  return row && effective(row)
}

/** Returns the grant, whatever its status. */
export async function findHumanGrantById(db: Queryable, grantId: string): Promise<HumanGrant | undefined> {
  const [row] = await db.rows<Row>(byId, [grantId])
  return row && effective(row)
}

/**
 * Returns the time after which the owner must have signed in before a consent counts: the suspension of the grant, or
 * its end if an operator had suspended it and somebody else than the owner ended it. Undefined if any sign-in is enough.
 */
export async function findSuspension(db: Queryable, ownerId: string, clientId: string): Promise<Date | undefined> {
  const [row] = await db.rows<{ since: Date }>(suspensionOfPair, [ownerId, clientId, chosenByOwner])
  return row?.since
}

/**
 * Records a consent: widens the existing grant or makes a new one. A grant that is suspended or expired, or that has
 * another subject for the owner, is ended and replaced.
 * @param decide records the decision in the same transaction; if it throws, there is no consent
 * @throws FreshSignInNeeded, ClientNotActive
 */
export function recordConsent(
  db: Database,
  consent: Consent,
  now: Date,
  decide: (tx: Queryable, grantId: string) => Promise<void> = async () => {},
): Promise<{ grant_id: string; created: boolean }> {
  return changeInTurn(db, async (tx) => {
    const [client] = await tx.rows<{ registration: Registration }>(activeClient, [consent.client_id])
    if (!client) throw new ClientNotActive('a consent was given to a client that is not active')
    await checkSignIn(tx, consent)
    const [found] = await tx.rows<Row>(ofPair, [consent.owner_id, consent.client_id])
    const kept = found && (await keepOrEnd(tx, found, consent, now))
    const grantId = kept?.grant_id ?? randomUUIDv7()
    const policy = effectivePolicy(client.registration, consent.policy)
    if (kept) {
      // The effective scopes, as the page showed them. A scope outside the limit is not kept for a later, wider
      // limit.
      const before = effective(kept)
      const scopes = [...new Set([...before.scopes, ...consent.scopes])]
      await tx.rows(widen, [
        grantId,
        scopes,
        before.openid || consent.openid,
        JSON.stringify(policy),
        consent.expires_at,
        now,
      ])
      await recordChange(tx, { grant_id: grantId }, now)
    } else {
      const { client_id, owner_id, subject, scopes, openid, expires_at } = consent
      const values = [grantId, client_id, owner_id, subject, scopes, openid, JSON.stringify(policy), expires_at, now]
      await tx.rows(insert, values)
    }
    await recordAudit(tx, auditOf(consent, grantId, policy, kept === undefined, now))
    await decide(tx, grantId)
    return { grant_id: grantId, created: kept === undefined }
  })
}

/**
 * Keeps the grant of an authorization active until the transaction ends. @throws Error if the grant ended meanwhile
 */
export async function holdGrant(db: Queryable, grantId: string, now: Date): Promise<void> {
  if ((await db.rows(hold, [grantId, now])).length === 0)
    throw new Error('the grant ended while an authorization was given under it')
}

/** @throws FreshSignInNeeded */
async function checkSignIn(tx: Queryable, { owner_id, client_id, authenticated_at }: Consent): Promise<void> {
  const suspendedAt = await findSuspension(tx, owner_id, client_id)
  if (suspendedAt && authenticated_at <= suspendedAt)
    throw new FreshSignInNeeded('the grant was suspended after the owner signed in')
}

/** Returns the grant if it can be widened, and undefined if it was ended. */
async function keepOrEnd(tx: Queryable, found: Row, consent: Consent, now: Date): Promise<Row | undefined> {
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
