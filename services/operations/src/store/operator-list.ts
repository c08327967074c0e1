/**
 * Operations of all owners, newest first. A page is merged from the newest of each kind of each client, which an index
 * holds in order. Operations of a grant are found among those of its owner and client. Operations in flight, and those
 * that failed or were cancelled, have narrow tables of their own.
 *
 * Invariant: the cost of a page depends on its size, on the number of clients and on the operations in flight, not on
 * the stored operations.
 */

import type { FindOperationsRequest, FoundOperations } from '@financial-agents/bus/messages/operator'
import { operationKinds, paymentKinds } from '@financial-agents/contract/kinds'
import { isTerminal, operationStates } from '@financial-agents/contract/machine'
import { type Database, type Statement, statement } from '@financial-agents/postgres/database'
import { firstOfRanges } from '@financial-agents/postgres/first-of-ranges'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { inFlight, terminal } from './in-flight.ts'
import { type OperatorRow, operatorColumns, toOperatorOperation } from './operator-rows.ts'

const columns = operatorColumns.map((name) => `o.${name}`).join(', ')

/**
 * $1 kinds, $2 states, $3 client, $4 created until, $5 and $6 after this position, $7 the number of operations that are
 * looked through, $8 grant, $9 created from.
 */
const bounded =
  'created_at >= $9::timestamptz AND created_at <= $4::timestamptz AND (created_at, id) < ($5::timestamptz, $6::uuid)'
const newest = 'ORDER BY created_at DESC, id DESC LIMIT $7::integer'
const ofState = 'state = ANY ($2::text[])'
const kinds = 'unnest($1::text[]) AS kinds (kind)'

/**
 * The filters without an index, because an index would cost every write: $10 failure code, $11 resource, $12 the
 * provider's reference, $13 trace, $14 mandate, $15 and $16 amount, $17 and $18 ended. The statement applies these
 * filters to each operation of the page.
 */
const fits = `coalesce(($10::text IS NULL OR o.failure_code = $10) AND ($11::uuid IS NULL OR o.resource_id = $11)
      AND ($12::text IS NULL OR o.upstream_reference = $12) AND ($13::text IS NULL OR split_part(o.traceparent, '-', 2) = $13)
      AND ($14::uuid IS NULL OR o.mandate_id = $14 OR t.mandate_id = $14)
      AND ($15::numeric IS NULL OR t.amount >= $15) AND ($16::numeric IS NULL OR t.amount <= $16)
      AND ($17::timestamptz IS NULL OR o.state IN (${terminal}) AND o.updated_at >= $17)
      AND ($18::timestamptz IS NULL OR o.state IN (${terminal}) AND o.updated_at < $18), false)`

/** Finds all pairs of client and kind: the query skips in the index from each pair to the next one. */
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

/** Without a state the index alone answers, and no row of the table is read before the page is known. */
const inAnyState = (found: string) => found.replace(` AND ${ofState}`, '')

const ofClient = `SELECT one.id, one.created_at FROM ${kinds} CROSS JOIN LATERAL (
      SELECT id, created_at FROM operations
      WHERE client_id = $3 AND kind = kinds.kind AND ${ofState} AND ${bounded} ${newest}) one`

// No index supports this form of the condition on the kind. PostgreSQL therefore reads the owner's index, not a
// client's.
const ofGrant = `SELECT one.id, one.created_at FROM grants g CROSS JOIN LATERAL (
      SELECT id, created_at FROM operations
      WHERE owner_id = g.owner_id AND client_id = g.client_id AND grant_id = $8 AND $1::text[] @> ARRAY[kind]
        AND ${ofState} AND ${bounded} ${newest}) one
    WHERE g.grant_id = $8 AND g.client_id = COALESCE($3::text, g.client_id)`

const unsuccessful = (ofWhom: string) => `SELECT one.operation_id AS id, one.created_at
    FROM ${kinds} CROSS JOIN unnest($2::text[]) AS outcomes (outcome)
    CROSS JOIN LATERAL (SELECT operation_id, created_at FROM unsuccessful
      WHERE kind = kinds.kind AND outcome = outcomes.outcome ${ofWhom} AND created_at >= $9::timestamptz
        AND created_at <= $4::timestamptz AND (created_at, operation_id) < ($5::timestamptz, $6::uuid)
      ORDER BY created_at DESC, operation_id DESC LIMIT $7::integer) one`

const flying = `SELECT id, created_at FROM flying
    WHERE kind = ANY ($1::text[]) AND ${ofState} AND client_id = COALESCE($3::text, client_id)
      AND grant_id = COALESCE($8::text, grant_id) AND ${bounded}`

/**
 * Finds the owner of the grants $19, and then all clients of this owner: the query skips from each client to the next
 * one.
 */
const readers = `owner AS (SELECT owner_id FROM grants WHERE grant_id = ANY ($19::text[]) LIMIT 1),
  reader AS (
    (SELECT one.owner_id, one.client_id FROM owner CROSS JOIN LATERAL (
      SELECT owner_id, client_id FROM operations WHERE owner_id = owner.owner_id ORDER BY client_id LIMIT 1) one)
    UNION ALL
    SELECT following.owner_id, following.client_id FROM reader CROSS JOIN LATERAL (
      SELECT owner_id, client_id FROM operations WHERE owner_id = reader.owner_id AND client_id > reader.client_id
      ORDER BY client_id LIMIT 1) following
  )`

const ofOwner = `SELECT one.id, one.created_at FROM reader CROSS JOIN LATERAL (
      SELECT id, created_at FROM operations
      WHERE owner_id = reader.owner_id AND client_id = reader.client_id AND grant_id = COALESCE($8::text, grant_id)
        AND $1::text[] @> ARRAY[kind] AND ${ofState} AND ${bounded} ${newest}) one
    WHERE reader.client_id = COALESCE($3::text, reader.client_id)`

/**
 * Sorts only ids and times, and reads full rows only for the page. The last operation that was looked through is
 * returned even if it does not match, because the next page begins after it.
 */
const page = (name: string, found: string, first = '') =>
  statement(
    name,
    `${first ? `${first},` : 'WITH'} page AS MATERIALIZED (SELECT id, created_at FROM (${found}) found ${newest}),
    last AS (SELECT id, count(*) OVER () AS looked_through FROM page ORDER BY created_at, id LIMIT 1)
    SELECT ${columns}, t.amount::text AS amount, t.currency, t.beneficiary_id, last.looked_through, one.fits
    FROM page CROSS JOIN last
    CROSS JOIN LATERAL (SELECT * FROM operations WHERE id = page.id LIMIT 1) o
    LEFT JOIN LATERAL (SELECT amount, currency, beneficiary_id, mandate_id FROM transfers WHERE operation_id = page.id LIMIT 1) t ON true
    CROSS JOIN LATERAL (SELECT ${fits} AS fits) one
    WHERE one.fits OR page.id = last.id
    ORDER BY page.created_at DESC, page.id DESC`,
  )

const flyingOnes = `WITH flying AS MATERIALIZED (${inFlight('o.id, o.kind, o.state, o.client_id, o.grant_id, o.created_at')})`

const ofItsClient = 'AND client_id = COALESCE($3::text, client_id) AND grant_id = $8'

const ofNobody = '$3::text IS NULL AND $8::text IS NULL'
/** Always true. The condition makes the statement use $2, because every statement is given all parameters. */
const everyState = 'cardinality($2::text[]) > 0'

export const operatorLists = {
  all: page('operator_all', `${inAnyState(ofAnyone)} AND ${everyState} AND ${ofNobody}`, `WITH RECURSIVE ${pairs}`),
  allOfClient: page('operator_all_of_client', `${inAnyState(ofClient)} WHERE ${everyState} AND $8::text IS NULL`),
  any: page('operator_any', `${ofAnyone} AND ${ofNobody}`, `WITH RECURSIVE ${pairs}`),
  anyOfClient: page('operator_any_of_client', `${ofClient} WHERE $8::text IS NULL`),
  anyOfGrant: page('operator_any_of_grant', ofGrant),
  unsuccessful: page('operator_unsuccessful', unsuccessful(`AND ${ofNobody}`)),
  unsuccessfulOfClient: page(
    'operator_unsuccessful_of_client',
    unsuccessful('AND client_id = $3 AND $8::text IS NULL'),
  ),
  unsuccessfulOfGrant: page('operator_unsuccessful_of_grant', unsuccessful(ofItsClient)),
  inFlight: page('operator_in_flight', flying, flyingOnes),
  // Only operations that failed, were cancelled or are in flight have a failure code.
  troubled: page(
    'operator_troubled',
    `${unsuccessful('AND $3::text IS NULL AND $8::text IS NULL')} UNION ALL ${flying}`,
    flyingOnes,
  ),
  troubledOfClient: page(
    'operator_troubled_of_client',
    `${unsuccessful('AND client_id = $3 AND $8::text IS NULL')} UNION ALL ${flying}`,
    flyingOnes,
  ),
  troubledOfGrant: page('operator_troubled_of_grant', `${unsuccessful(ofItsClient)} UNION ALL ${flying}`, flyingOnes),
  ofOwner: page('operator_of_owner', ofOwner, `WITH RECURSIVE ${readers}`),
  named: page(
    'operator_named',
    `SELECT id, created_at FROM unnest($19::uuid[]) AS item (named)
    CROSS JOIN LATERAL (SELECT * FROM operations WHERE id = item.named LIMIT 1) one
    WHERE kind = ANY ($1::text[]) AND ${ofState} AND client_id = COALESCE($3::text, client_id)
      AND grant_id = COALESCE($8::text, grant_id) AND ${bounded}`,
  ),
}

/** An operation of a page that was looked through. `looked_through` counts the page. */
type SearchedRow = OperatorRow & { looked_through: number; fits: boolean }

/** Operations that are looked through at a time if a filter has no index. */
const lookedThrough = 1_000

/**
 * Lists at most `limit` operations that match every given filter. `next` is the position at which the list continues,
 * even if no operation in this part of the list matched.
 */
export async function listOperatorOperations(db: Database, request: FindOperationsRequest): Promise<FoundOperations> {
  // PostgreSQL cannot store NUL, so nothing has such an id.
  if ([request.client_id, request.grant_id, request.upstream_reference].some((text) => text?.includes('\0')))
    return { operations: [], next: null }
  const { statement: list, values, window } = listOf(request)
  const rows = await firstOfRanges<SearchedRow>(db, list, values)
  const fitting = rows.filter((row) => row.fits)
  const shown = fitting.slice(0, request.limit)
  const isWhole = (rows[0]?.looked_through ?? 0) < window
  const last = fitting.length > shown.length ? shown.at(-1) : isWhole ? undefined : rows.at(-1)
  return {
    operations: shown.map(toOperatorOperation),
    next: last ? { created_at: last.created_at.toISOString(), id: last.id } : null,
  }
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The statement for these filters, its parameters, and the number of operations that it looks through. */
export function listOf(request: FindOperationsRequest): {
  statement: Statement
  values: unknown[]
  window: number
} {
  const { kind, state, client_id, grant_id, created_from, created_until, after, limit } = request
  const { failure_code, resource_id, upstream_reference, trace_id, mandate_id } = request
  const { amount_from, amount_to, ended_from, ended_until, operation_ids, of_owner_of } = request
  const unindexed: unknown[] = [failure_code, resource_id, upstream_reference, trace_id, mandate_id]
  unindexed.push(amount_from, amount_to, timeOf(ended_from), timeOf(ended_until))
  const window = unindexed.every((filter) => filter === undefined) ? limit : Math.max(limit, lookedThrough)
  const values: unknown[] = [
    kind ? [kind] : (amount_from ?? amount_to) ? paymentKinds : operationKinds,
    state ? [state] : operationStates,
    client_id ?? null,
    timeOf(created_until) ?? 'infinity',
    after?.created_at ?? 'infinity',
    after?.id ?? lastId,
    window,
    grant_id ?? null,
    timeOf(created_from) ?? '-infinity',
    ...unindexed.map((filter) => filter ?? null),
  ]
  if (operation_ids)
    return { statement: operatorLists.named, values: [...values, [...new Set(operation_ids.filter(isUuid))]], window }
  if (of_owner_of) return { statement: operatorLists.ofOwner, values: [...values, of_owner_of], window }
  if (state !== undefined && !isTerminal(state)) return { statement: operatorLists.inFlight, values, window }
  const whose = grant_id !== undefined ? 'OfGrant' : client_id !== undefined ? 'OfClient' : ''
  if (state === undefined && failure_code === undefined && whose !== 'OfGrant')
    return { statement: operatorLists[`all${whose}`], values, window }
  const of =
    state === 'failed' || state === 'cancelled'
      ? 'unsuccessful'
      : state === undefined && failure_code !== undefined
        ? 'troubled'
        : 'any'
  return { statement: operatorLists[`${of}${whose}`], values, window }
}

/** Returns the moment as a Date, because PostgreSQL reads no text of the year 0, which RFC 3339 allows. */
const timeOf = (timestamp: string | undefined): Date | undefined =>
  timestamp === undefined ? undefined : new Date(timestamp)
