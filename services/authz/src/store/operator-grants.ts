/**
 * Lists grants of all owners, newest first, for operators. Each row has the pairwise subject, never the owner.
 *
 * Invariant: the cost of a page depends only on its size. A page is merged from the newest grants of each status, which
 * an index holds in order, and from expired grants that the background job has not ended yet.
 */

import type { OwnerClient } from '@financial-agents/bus/messages/authority'
import type { FindGrantsRequest, OperatorGrantRow } from '@financial-agents/bus/messages/operator'
import { clientNotRegistered } from '@financial-agents/owner-pages/grant-of-owner'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { firstOfRanges } from '@financial-agents/postgres/first-of-ranges'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { effectiveGrant } from '../policy/effective-grant.ts'
import type { Registration } from '../registration/registration.ts'
import { statusAt } from './grants.ts'

/** The number of grants that one message can carry. */
const maxGrants = 500

/**
 * The parameters of the lists: $1 the present time, $2 statuses, $3 a client, $4 and $5 the position after which the
 * page begins, $6 the number of rows, $7 a subject, a grant or an owner, $8 a subject as a further filter.
 */
const bounded = '(created_at, grant_id) < ($4::timestamptz, $5::uuid)'
const newest = 'ORDER BY created_at DESC, grant_id DESC LIMIT $6::integer'

const overdue = `WITH overdue AS MATERIALIZED (
    SELECT grant_id, client_id, created_at FROM grants WHERE kind = 'human' AND status <> 'revoked' AND expires_at <= $1)`

const listed = (ofClient: string) => `SELECT one.grant_id, one.created_at FROM unnest($2::text[]) AS stored (listed_as)
    CROSS JOIN LATERAL (SELECT grant_id, created_at FROM grants
      WHERE listed_as = stored.listed_as AND ${ofClient} AND ${bounded}
        AND (stored.listed_as IN ('revoked', 'expired') OR expires_at IS NULL OR expires_at > $1)
      ${newest}) one
    UNION ALL
    SELECT grant_id, created_at FROM overdue
    WHERE 'expired' = ANY ($2::text[]) AND client_id = COALESCE($3::text, client_id) AND ${bounded}`

const few = (named: string) => `SELECT g.grant_id, g.created_at FROM grants g
    WHERE ${named} AND ${statusAt('$1')} = ANY ($2::text[]) AND g.client_id = COALESCE($3::text, g.client_id)
      AND (g.created_at, g.grant_id) < ($4::timestamptz, $5::uuid)`

const columns = `g.grant_id, g.subject, g.client_id, g.scopes, c.registration,
    ${statusAt('$1')} AS status, g.status_reason, g.status_changed_at,
    g.suspended_by, g.suspended_why, g.suspended_for_owner, g.created_at, used.at AS last_used_at`

// A token lasts five minutes, so the time of the last token is the time of the last use, without a write for each
// request.
const page = (name: string, found: string, first = '') =>
  statement(
    name,
    `${first} SELECT ${columns}
    FROM (SELECT grant_id, created_at FROM (${found}) found ${newest}) page
    CROSS JOIN LATERAL (SELECT * FROM grants WHERE grant_id = page.grant_id LIMIT 1) g
    CROSS JOIN LATERAL (SELECT registration FROM clients WHERE client_id = g.client_id LIMIT 1) c
    LEFT JOIN LATERAL (SELECT at FROM audit a
      WHERE a.grant_id = g.grant_id AND a.event IN ('token_issued', 'token_refreshed')
      ORDER BY at DESC LIMIT 1) used ON true
    ORDER BY page.created_at DESC, page.grant_id DESC`,
  )

export const operatorGrantLists = {
  // `listed_as <> ''` repeats the condition of the intended partial index, grants_newest.
  all: page('operator_grants', listed("listed_as <> '' AND $3::text IS NULL"), overdue),
  ofClient: page('operator_grants_of_client', listed('client_id = $3'), overdue),
  ofSubject: page('operator_grants_of_subject', few('g.subject = $7')),
  ofOwner: page('operator_grants_of_owner', few('g.owner_id = $7::uuid AND g.subject = COALESCE($8::text, g.subject)')),
  sameOwner: page(
    'operator_grants_of_same_owner',
    few(
      'g.owner_id = (SELECT owner_id FROM grants WHERE grant_id = $7::uuid) AND g.subject = COALESCE($8::text, g.subject)',
    ),
  ),
  one: page('operator_grant', few('g.grant_id = $7::uuid AND g.subject = COALESCE($8::text, g.subject)')),
}

type Row = Omit<OperatorGrantRow, 'client' | 'scopes' | 'created_at' | 'last_used_at' | 'suspended'> & {
  client_id: string
  scopes: string[]
  registration: Registration
  status_reason: string | null
  status_changed_at: Date
  suspended_by: string | null
  suspended_why: string | null
  suspended_for_owner: string | null
  created_at: Date
  last_used_at: Date | null
}

const statuses = ['active', 'suspended', 'revoked', 'expired'] as const
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns at most `limit` grants that match every given filter. */
export async function listOperatorGrants(
  db: Database,
  request: FindGrantsRequest,
  now: Date,
): Promise<OperatorGrantRow[]> {
  const { list, values } = listOf(request, now)
  return list ? (await firstOfRanges<Row>(db, list, values)).map(toOperatorGrant) : []
}

/**
 * Returns the statement for these filters and its values. There is no statement if a filter contains text that
 * PostgreSQL cannot hold.
 */
export function listOf(request: FindGrantsRequest, now: Date) {
  const { grant_id, client_id, status, subject, same_owner_as, owner_id, after, limit } = request
  const values: unknown[] = [now, status ? [status] : statuses, client_id ?? null]
  values.push(after?.created_at ?? 'infinity', after?.id ?? lastId, Math.min(limit, maxGrants))
  if (
    [client_id, subject].some((text) => text?.includes('\0')) ||
    [grant_id, same_owner_as, owner_id].some((id) => id !== undefined && !isUuid(id))
  )
    return { list: undefined, values }
  if (grant_id !== undefined) return { list: operatorGrantLists.one, values: [...values, grant_id, subject ?? null] }
  if (owner_id !== undefined)
    return { list: operatorGrantLists.ofOwner, values: [...values, owner_id, subject ?? null] }
  if (same_owner_as !== undefined)
    return { list: operatorGrantLists.sameOwner, values: [...values, same_owner_as, subject ?? null] }
  if (subject !== undefined) return { list: operatorGrantLists.ofSubject, values: [...values, subject] }
  return { list: client_id === undefined ? operatorGrantLists.all : operatorGrantLists.ofClient, values }
}

/** Returns one grant, or undefined if there is none. */
export async function findOperatorGrant(
  db: Queryable,
  grantId: string,
  now: Date,
): Promise<OperatorGrantRow | undefined> {
  const { list, values } = listOf({ grant_id: grantId, after: null, limit: 1 }, now)
  const [row] = list ? await db.rows<Row>(list, values) : []
  return row && toOperatorGrant(row)
}

function toOperatorGrant(row: Row): OperatorGrantRow {
  const { registration } = row
  return {
    grant_id: row.grant_id,
    subject: row.subject,
    client: { id: row.client_id, name: registration.name, profile: registration.profile },
    status: row.status,
    scopes: effectiveGrant({ scopes: row.scopes, openid: false, policy: null }, registration).scopes,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    suspended: row.status === 'suspended' ? suspensionOf(row) : null,
  }
}

const undeclared = 'The client is no longer declared.'
const paused = 'The owner paused it.'

function suspensionOf(row: Row): OperatorGrantRow['suspended'] {
  const { status_reason, suspended_by, suspended_why, suspended_for_owner } = row
  const at = row.status_changed_at.toISOString()
  if (status_reason === clientNotRegistered)
    return { at, by: 'configuration', reason: undeclared, reason_for_owner: null }
  if (suspended_by === null || suspended_why === null)
    return { at, by: 'owner', reason: paused, reason_for_owner: null }
  return { at, by: suspended_by, reason: suspended_why, reason_for_owner: suspended_for_owner }
}

const names = statement(
  'client_names',
  `SELECT c.* FROM unnest($1::text[]) AS item (id)
  CROSS JOIN LATERAL (SELECT client_id, registration ->> 'name' AS name FROM clients WHERE client_id = item.id LIMIT 1) c`,
)

/** Returns the names of clients, including suspended ones. Clients that were never declared are absent. */
export async function listClientNames(db: Queryable, clientIds: readonly string[]): Promise<OwnerClient[]> {
  return db.rows<OwnerClient>(names, [[...new Set(clientIds)].filter((id) => !id.includes('\0'))])
}
