/**
 * Operations of all owners, newest first. A page is merged from the newest of each kind of each client, which an index
 * holds in order. Operations of a grant are found among those of its owner and client. Operations in flight, and those
 * that failed or were cancelled, have narrow tables of their own.
 *
 * Invariant: the cost of a page depends on its size, on the number of clients and on the operations in flight, not on
 * the stored operations.
 */

import type { FindOperationsRequest, OperatorOperationRow } from '@financial-agents/bus/messages/operator'
import { operationKinds } from '@financial-agents/operation-machine/kinds'
import { isTerminal, operationStates } from '@financial-agents/operation-machine/machine'
import { type Database, type Statement, statement } from '@financial-agents/postgres/database'
import { firstOfRanges } from '@financial-agents/postgres/first-of-ranges'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { inFlight } from './in-flight.ts'
import { type OperatorRow, operatorColumns, toOperatorOperation } from './operator-rows.ts'

const columns = operatorColumns.map((name) => `o.${name}`).join(', ')

/** $1 kinds, $2 states, $3 client, $4 created until, $5 and $6 after this position, $7 limit, $8 grant. */
const bounded = 'created_at <= $4::timestamptz AND (created_at, id) < ($5::timestamptz, $6::uuid)'
const newest = 'ORDER BY created_at DESC, id DESC LIMIT $7::integer'
const ofState = 'state = ANY ($2::text[])'
const kinds = 'unnest($1::text[]) AS kinds (kind)'

/** Skips from each kind of each client to the next one. */
export const pairs = `pair AS (
    (SELECT client_id, kind FROM operations ORDER BY client_id, kind LIMIT 1)
    UNION ALL
    SELECT following.client_id, following.kind FROM pair CROSS JOIN LATERAL (
      SELECT client_id, kind FROM operations WHERE (client_id, kind) > (pair.client_id, pair.kind)
      ORDER BY client_id, kind LIMIT 1) following
  )`

const ofAnyone = `SELECT one.id, one.created_at FROM pair CROSS JOIN LATERAL (
      SELECT id, created_at FROM operations
      WHERE client_id = pair.client_id AND kind = pair.kind AND ${ofState} AND ${bounded} ${newest}) one
    WHERE pair.kind = ANY ($1::text[])`

const ofClient = `SELECT one.id, one.created_at FROM ${kinds} CROSS JOIN LATERAL (
      SELECT id, created_at FROM operations
      WHERE client_id = $3 AND kind = kinds.kind AND ${ofState} AND ${bounded} ${newest}) one`

// The condition on the kind fits no index, so that the owner's index is read and not a client's.
const ofGrant = `SELECT one.id, one.created_at FROM grants g CROSS JOIN LATERAL (
      SELECT id, created_at FROM operations
      WHERE owner_id = g.owner_id AND client_id = g.client_id AND grant_id = $8 AND $1::text[] @> ARRAY[kind]
        AND ${ofState} AND ${bounded} ${newest}) one
    WHERE g.grant_id = $8 AND g.client_id = COALESCE($3::text, g.client_id)`

const unsuccessful = (ofWhom: string) => `SELECT one.operation_id AS id, one.created_at
    FROM ${kinds} CROSS JOIN unnest($2::text[]) AS outcomes (outcome)
    CROSS JOIN LATERAL (SELECT operation_id, created_at FROM unsuccessful
      WHERE kind = kinds.kind AND outcome = outcomes.outcome ${ofWhom} AND created_at <= $4::timestamptz
        AND (created_at, operation_id) < ($5::timestamptz, $6::uuid)
      ORDER BY created_at DESC, operation_id DESC LIMIT $7::integer) one`

const flying = `SELECT id, created_at FROM flying
    WHERE kind = ANY ($1::text[]) AND ${ofState} AND client_id = COALESCE($3::text, client_id)
      AND grant_id = COALESCE($8::text, grant_id) AND ${bounded}`

/** Sorts only ids and times, and reads full rows only for the page. */
const page = (name: string, found: string, first = '') =>
  statement(
    name,
    `${first} SELECT ${columns} FROM (SELECT id, created_at FROM (${found}) found ${newest}) page
    CROSS JOIN LATERAL (SELECT * FROM operations WHERE id = page.id LIMIT 1) o
    ORDER BY page.created_at DESC, page.id DESC`,
  )

const ofItsClient = 'AND client_id = COALESCE($3::text, client_id) AND grant_id = $8'

export const operatorLists = {
  any: page('operator_any', `${ofAnyone} AND $3::text IS NULL AND $8::text IS NULL`, `WITH RECURSIVE ${pairs}`),
  anyOfClient: page('operator_any_of_client', `${ofClient} WHERE $8::text IS NULL`),
  anyOfGrant: page('operator_any_of_grant', ofGrant),
  unsuccessful: page('operator_unsuccessful', unsuccessful('AND $3::text IS NULL AND $8::text IS NULL')),
  unsuccessfulOfClient: page(
    'operator_unsuccessful_of_client',
    unsuccessful('AND client_id = $3 AND $8::text IS NULL'),
  ),
  unsuccessfulOfGrant: page('operator_unsuccessful_of_grant', unsuccessful(ofItsClient)),
  inFlight: page(
    'operator_in_flight',
    flying,
    `WITH flying AS MATERIALIZED (${inFlight('o.id, o.kind, o.state, o.client_id, o.grant_id, o.created_at')})`,
  ),
  named: page(
    'operator_named',
    `SELECT id, created_at FROM unnest($9::uuid[]) AS item (named)
    CROSS JOIN LATERAL (SELECT * FROM operations WHERE id = item.named LIMIT 1) one
    WHERE kind = ANY ($1::text[]) AND ${ofState} AND client_id = COALESCE($3::text, client_id)
      AND grant_id = COALESCE($8::text, grant_id) AND ${bounded}`,
  ),
}

/** Lists at most `limit` operations that match every given filter. */
export async function listOperatorOperations(
  db: Database,
  request: FindOperationsRequest,
): Promise<OperatorOperationRow[]> {
  // PostgreSQL cannot store NUL, so no client and no grant has such an id.
  if (request.client_id?.includes('\0') || request.grant_id?.includes('\0')) return []
  const { statement: list, values } = listOf(request)
  return (await firstOfRanges<OperatorRow>(db, list, values)).map(toOperatorOperation)
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The statement for these filters, and its parameters. */
export function listOf(request: FindOperationsRequest): { statement: Statement; values: unknown[] } {
  const { kind, state, client_id, grant_id, created_until, operation_ids, after, limit } = request
  const values = [
    kind ? [kind] : operationKinds,
    state ? [state] : operationStates,
    client_id ?? null,
    created_until ?? 'infinity',
    after?.created_at ?? 'infinity',
    after?.id ?? lastId,
    limit,
    grant_id ?? null,
  ]
  if (operation_ids)
    return { statement: operatorLists.named, values: [...values, [...new Set(operation_ids.filter(isUuid))]] }
  if (state !== undefined && !isTerminal(state)) return { statement: operatorLists.inFlight, values }
  const whose = grant_id !== undefined ? 'OfGrant' : client_id !== undefined ? 'OfClient' : ''
  const of = state === 'failed' || state === 'cancelled' ? 'unsuccessful' : 'any'
  return { statement: operatorLists[`${of}${whose}`], values }
}
