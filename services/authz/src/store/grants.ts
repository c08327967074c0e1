/**
 * Grants: the owner that a client may act for, the subject and the scopes.
 *
 * Invariant: a service account has at most one unrevoked grant (index one_service_grant).
 */

import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { effectivePolicy } from '../policy/grant-policy.ts'
import type { Registration } from '../registration/registration.ts'

export type ServiceGrant = {
  grant_id: string
  client_id: string
  owner_id: string
  subject: string
  scopes: string[]
  /** The owner's own policy; null if the owner never changed the registered one. */
  policy: GrantPolicy | null
  status: 'active' | 'suspended' | 'revoked'
  status_reason: string | null
  /** The operator who suspended the grant, also if it ended afterwards; null for any other suspension. */
  suspended_by: string | null
  suspended_why: string | null
  suspended_for_owner: string | null
}

export type GrantRow = {
  grant_id: string
  kind: 'human' | 'service'
  /** The connection of a service account, after it is fixed. */
  binding_id: string | null
  /** The time of a service account's latest declaration. */
  declared_at: Date
  client_id: string
  owner_id: string
  subject: string
  /** The granted scopes within the client's current limit. */
  scopes: string[]
  /** Null for the grant of a service account. */
  expires_at: Date | null
  /** The effective policy. */
  policy: GrantPolicy
  /** True if grant and client are active and the grant is not expired. */
  active: boolean
}

export const suspendedByOperator = 'suspended_by_operator'

/** SQL for a grant's status as owners and clients see it: `expired` from the end of its term. `now`: a parameter. */
export const statusAt = (now: string) => `CASE WHEN g.status_reason = 'expired'
     OR (g.status <> 'revoked' AND g.expires_at <= ${now}) THEN 'expired' ELSE g.status END`

/** SQL for the columns of a grant `g` with its client `c`, except scopes and status. */
export const grantColumns = `g.grant_id, g.client_id, g.owner_id, g.subject, g.expires_at, g.policy, c.registration,
     g.kind, g.binding_id, coalesce(g.declared_at, g.created_at) AS declared_at`

const one = statement(
  'grants_one',
  `SELECT ${grantColumns},
     ARRAY (SELECT scope FROM unnest(g.scopes) AS scope WHERE c.registration -> 'scopes' ? scope) AS scopes,
     (g.status = 'active' AND c.status = 'active' AND (g.expires_at IS NULL OR g.expires_at > $2)) AS active
   FROM grants g JOIN clients c USING (client_id) WHERE g.grant_id = $1`,
)

const lastServiceGrants = statement(
  'grants_last_service',
  `SELECT DISTINCT ON (client_id, owner_id) grant_id, client_id, owner_id, subject, scopes, policy, status, status_reason,
     suspended_by, suspended_why, suspended_for_owner
   FROM grants WHERE kind = 'service'
   ORDER BY client_id, owner_id, status = 'revoked', created_at DESC, grant_id DESC`,
)

const humanSubjects = statement(
  'grants_human_subjects',
  `SELECT c.client_id, g.owner_id, g.subject FROM clients c, LATERAL (
     SELECT owner_id, subject FROM grants g
     WHERE g.client_id = c.client_id AND g.kind = 'human' AND g.status <> 'revoked' LIMIT 1) g`,
)

const liveOfClient = statement(
  'grants_live_of_client',
  `SELECT grant_id FROM grants WHERE client_id = $1 AND status <> 'revoked' ORDER BY grant_id`,
)

const insert = statement(
  'grants_insert_service',
  `INSERT INTO grants (grant_id, client_id, kind, owner_id, subject, scopes, policy, status, created_at, updated_at,
     status_changed_at)
   VALUES ($1, $2, 'service', $3, $4, $5, $6, 'active', $7, $7, $7)`,
)

const setScopes = statement('grants_set_scopes', 'UPDATE grants SET scopes = $2, updated_at = $3 WHERE grant_id = $1')

// The removal of a service account takes over an operator's earlier suspension. The next declaration is then a new one.
const suspendOfClient = statement(
  'grants_suspend_of_client',
  `UPDATE grants SET status = 'suspended', status_reason = $2, status_changed_at = $3, updated_at = $3
   WHERE client_id = $1 AND (status = 'active'
     OR (kind = 'service' AND status = 'suspended' AND status_reason = '${suspendedByOperator}'))
   RETURNING grant_id, owner_id`,
)

const resumeOfClient = statement(
  'grants_resume_of_client',
  `UPDATE grants SET status = 'active', status_reason = NULL, status_changed_at = $3, updated_at = $3,
     binding_id = NULL, declared_at = $3
   WHERE client_id = $1 AND kind = 'service' AND status = 'suspended' AND status_reason = $2
   RETURNING grant_id, owner_id`,
)

export async function findGrant(db: Queryable, grantId: string, now: Date): Promise<GrantRow | undefined> {
  const [row] = await db.rows<Omit<GrantRow, 'policy'> & { policy: GrantPolicy | null; registration: Registration }>(
    one,
    [grantId, now],
  )
  if (!row) return undefined
  const { registration, policy, ...rest } = row
  return { ...rest, policy: effectivePolicy(registration, policy) }
}

/** Returns the last grant of each owner to each service account, by `pairOf`. An unrevoked grant is the last one. */
export async function listServiceGrants(db: Queryable): Promise<Map<string, ServiceGrant>> {
  const rows = await db.rows<ServiceGrant>(lastServiceGrants)
  return new Map(rows.map((row) => [pairOf(row.client_id, row.owner_id), row]))
}

export function pairOf(clientId: string, ownerId: string): string {
  return `${clientId} ${ownerId}`
}

export type KnownSubject = { client_id: string; owner_id: string; subject: string }

/** Returns one owner's subject for each client that has owners. */
export async function listHumanSubjects(db: Queryable): Promise<Map<string, KnownSubject>> {
  const rows = await db.rows<KnownSubject>(humanSubjects)
  return new Map(rows.map((row) => [row.client_id, row]))
}

/** Returns the ids of the client's unrevoked grants of any kind. */
export async function listLiveGrants(db: Queryable, clientId: string): Promise<string[]> {
  const rows = await db.rows<{ grant_id: string }>(liveOfClient, [clientId])
  return rows.map((row) => row.grant_id)
}

export async function recordServiceGrant(
  tx: Queryable,
  grant: Pick<ServiceGrant, 'grant_id' | 'client_id' | 'owner_id' | 'subject' | 'scopes' | 'policy'>,
  now: Date,
): Promise<void> {
  const { grant_id, client_id, owner_id, subject, scopes } = grant
  const policy = grant.policy && JSON.stringify(grant.policy)
  await tx.rows(insert, [grant_id, client_id, owner_id, subject, scopes, policy, now])
}

export async function recordGrantScopes(tx: Queryable, grantId: string, scopes: string[], now: Date): Promise<void> {
  await tx.rows(setScopes, [grantId, scopes, now])
}

export type OwnedGrant = { grant_id: string; owner_id: string }

/** Suspends the client's active grants, and returns them with those that an operator had suspended before. */
export function recordGrantsSuspended(
  tx: Queryable,
  clientId: string,
  reason: string,
  now: Date,
): Promise<OwnedGrant[]> {
  return tx.rows<OwnedGrant>(suspendOfClient, [clientId, reason, now])
}

/**
 * Resumes the grant of a service account that was suspended for `reason`. The account counts as newly declared, and its
 * connection is fixed again. Grants of owners are only replaced, by a new consent.
 */
export function recordGrantsResumed(tx: Queryable, clientId: string, reason: string, now: Date): Promise<OwnedGrant[]> {
  return tx.rows<OwnedGrant>(resumeOfClient, [clientId, reason, now])
}
