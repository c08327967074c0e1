/**
 * Operations of all owners, newest first. Operations with an outcome are merged from the newest of each kind and
 * outcome, which an index holds in order. Operations without one are read as a whole, which is no more than what is in
 * flight.
 *
 * Invariant: the cost of a page depends on its size and on the operations in flight, not on the filters or the stored
 * operations.
 */

import type { FindOperationsRequest, OperatorOperationRow } from '@financial-agents/bus/messages/operator'
import { operationKinds } from '@financial-agents/operation-machine/kinds'
import { operationStates, terminalStates } from '@financial-agents/operation-machine/machine'
import { type Database, type Statement, statement } from '@financial-agents/postgres/database'
import { firstOfRanges } from '@financial-agents/postgres/first-of-ranges'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { type OperatorRow, operatorColumns, toOperatorOperation } from './operator-rows.ts'

const columns = operatorColumns.map((name) => `o.${name}`).join(', ')

/** $1 kinds, $2 states, $3 client, $4 created until, $5 and $6 after this position, $7 limit, $8 grant. */
const bounded = 'created_at <= $4::timestamptz AND (created_at, id) < ($5::timestamptz, $6::uuid)'
const newest = 'ORDER BY created_at DESC, id DESC LIMIT $7::integer'

const ended = (ofWhom: string) => `SELECT one.id, one.created_at
    FROM unnest($1::text[]) AS kinds (kind) CROSS JOIN unnest($2::text[]) AS outcomes (outcome)
    CROSS JOIN LATERAL (SELECT id, created_at FROM operations
      WHERE kind = kinds.kind AND outcome = outcomes.outcome ${ofWhom} AND ${bounded} ${newest}) one
    WHERE outcomes.outcome IN (${terminalStates.map((state) => `'${state}'`).join(', ')})`

/**
 * Reads first and filters then. A plan from when the table was young would otherwise use an index of all operations.
 */
const flying =
  'WITH flying AS MATERIALIZED (SELECT id, kind, state, client_id, grant_id, created_at FROM operations WHERE unsettled)'

const inFlight = `SELECT id, created_at FROM flying
    WHERE kind = ANY ($1::text[]) AND state = ANY ($2::text[])
      AND client_id = COALESCE($3::text, client_id) AND grant_id = COALESCE($8::text, grant_id) AND ${bounded}`

/** Sorts only ids and times, and reads full rows only for the page. */
const page = (name: string, found: string, first = '', condition = '') =>
  statement(
    name,
    `${first} SELECT ${columns} FROM (SELECT id, created_at FROM (${found}) found ${newest}) page
    CROSS JOIN LATERAL (SELECT * FROM operations WHERE id = page.id LIMIT 1) o ${condition}
    ORDER BY page.created_at DESC, page.id DESC`,
  )

/** A grant belongs to one client, so either every row found belongs to the client asked for, or none does. */
const ofItsClient = (name: string, found: string, first?: string) =>
  page(name, found, first, 'WHERE o.client_id = COALESCE($3::text, o.client_id)')

// Each condition selects the index to use.
const ofAnyone = "AND kind <> '' AND $3::text IS NULL AND $8::text IS NULL"
const ofClient = "AND client_id <> '' AND client_id = $3 AND $8::text IS NULL"
const ofGrant = "AND grant_id <> '' AND grant_id = $8"

export const operatorLists = {
  ended: page('operator_ended', ended(ofAnyone)),
  endedOfClient: page('operator_ended_of_client', ended(ofClient)),
  endedOfGrant: ofItsClient('operator_ended_of_grant', ended(ofGrant)),
  inFlight: page('operator_in_flight', inFlight, flying),
  all: page('operator_all', `${ended(ofAnyone)} UNION ALL ${inFlight}`, flying),
  allOfClient: page('operator_all_of_client', `${ended(ofClient)} UNION ALL ${inFlight}`, flying),
  allOfGrant: ofItsClient('operator_all_of_grant', `${ended(ofGrant)} UNION ALL ${inFlight}`, flying),
  named: page(
    'operator_named',
    `SELECT id, created_at FROM unnest($9::uuid[]) AS item (named)
    CROSS JOIN LATERAL (SELECT * FROM operations WHERE id = item.named LIMIT 1) one
    WHERE kind = ANY ($1::text[]) AND state = ANY ($2::text[]) AND client_id = COALESCE($3::text, client_id)
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
  const whose = grant_id !== undefined ? 'OfGrant' : client_id !== undefined ? 'OfClient' : ''
  if (state === undefined) return { statement: operatorLists[`all${whose}`], values }
  return { statement: terminal.has(state) ? operatorLists[`ended${whose}`] : operatorLists.inFlight, values }
}

const terminal: ReadonlySet<string> = new Set(terminalStates)
