/**
 * An owner's operations and payments over all clients, by the indexes of the clients' lists. The queries skip from one
 * client to the next, so the write path maintains no index for owners.
 */

import {
  type OwnerCounts,
  type OwnerHistoryRequest,
  ownerHistoryPage,
  ownerInFlightMost,
} from '@financial-agents/bus/messages/owner-activity'
import {
  isSubmissionUncertain,
  type OperationState,
  operationStates,
  terminalStates,
} from '@financial-agents/contract/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { ViewRow } from '../tables.ts'

/** An operation with the columns of its payment, which are null if it does not pay. */
export type OwnerRow = Pick<
  ViewRow,
  | 'id'
  | 'kind'
  | 'state'
  | 'failure_code'
  | 'resource_type'
  | 'resource_id'
  | 'upstream_reference'
  | 'action_required'
  | 'created_at'
  | 'updated_at'
> & {
  client_id: string
  grant_id: string
  amount: string | null
  currency: string | null
  beneficiary_id: string | null
  mandate_id: string | null
}

const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The number of operations of a client that are searched for the last operation of a grant. The last one of a client is
 * always found.
 */
const lookBackOperations = 1_000

const columns = `id, client_id, grant_id, kind, state, failure_code, resource_type, resource_id, upstream_reference, action_required,
    created_at, updated_at`
const shown = `newest.*, t.amount::text AS amount, t.currency, t.beneficiary_id, t.mandate_id`
const withPayment = 'LEFT JOIN transfers t ON t.operation_id = newest.id'
const listed = (states: readonly OperationState[]) => states.map((state) => `'${state}'`).join(', ')
const terminal = listed(terminalStates)
const uncertain = listed(operationStates.filter(isSubmissionUncertain))

const readersOf = (table: string) => `WITH RECURSIVE reader AS (
    (SELECT client_id FROM ${table} WHERE owner_id = $1 ORDER BY client_id LIMIT 1)
    UNION ALL
    SELECT following.client_id FROM reader CROSS JOIN LATERAL (
      SELECT client_id FROM ${table} WHERE owner_id = $1 AND client_id > reader.client_id
      ORDER BY client_id LIMIT 1) following
  )`
const readers = readersOf('operations')

const newestOf = (filter: string, limit: number) => `reader CROSS JOIN LATERAL (
    SELECT ${columns} FROM operations
    WHERE owner_id = $1 AND client_id = reader.client_id ${filter}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}) newest`

const inFlight = statement(
  'in_flight_of_owner',
  `${readers}
  SELECT ${shown} FROM (SELECT newest.* FROM ${newestOf(`AND state NOT IN (${terminal})`, ownerInFlightMost)}
    ORDER BY created_at DESC, id DESC LIMIT ${ownerInFlightMost}) newest ${withPayment}
  ORDER BY newest.created_at DESC, newest.id DESC`,
)

/** Lists the newest operations of the owner without an outcome, at most `ownerInFlightMost`. */
export function listInFlight(db: Queryable, ownerId: string): Promise<OwnerRow[]> {
  return db.rows<OwnerRow>(inFlight, [ownerId])
}

const counts = statement(
  'count_in_flight_of_owner',
  `${readers}
  SELECT count(*)::int AS in_flight,
    (count(*) FILTER (WHERE state = 'requires_action' AND action_required IS NOT NULL
      AND ($2::text[] IS NULL OR grant_id = ANY ($2))))::int AS approval,
    (count(*) FILTER (WHERE state IN (${uncertain}) AND pays))::int AS uncertain
  FROM reader CROSS JOIN LATERAL (
    SELECT state, grant_id, action_required, EXISTS (SELECT FROM transfers t WHERE t.operation_id = operations.id) AS pays
    FROM operations
    WHERE owner_id = $1 AND client_id = reader.client_id AND state NOT IN (${terminal})) o`,
)

/**
 * Counts all operations of the owner without an outcome, and those among them that wait for the owner. Approvals wait
 * only under `grants`; null: under any grant.
 */
export async function countInFlight(
  db: Queryable,
  ownerId: string,
  grants: readonly string[] | null,
): Promise<Omit<OwnerCounts, 'confirmation'>> {
  const [row] = await db.rows<Omit<OwnerCounts, 'confirmation'>>(counts, [ownerId, grants])
  return row ?? { in_flight: 0, approval: 0, uncertain: 0 }
}

const clientOf = statement('client_of_operation', 'SELECT client_id FROM operations WHERE id = $1 AND owner_id = $2')

/** Returns undefined if the owner has no such operation. */
export async function findClientOfOperation(db: Queryable, ownerId: string, id: string): Promise<string | undefined> {
  const [row] = await db.rows<{ client_id: string }>(clientOf, [id, ownerId])
  return row?.client_id
}

const latest = statement(
  'latest_of_grants',
  `${readers}
  SELECT ${shown} FROM (SELECT DISTINCT ON (grant_id) newest.* FROM ${newestOf('', lookBackOperations)}
    ORDER BY grant_id, created_at DESC, id DESC) newest ${withPayment}`,
)

/** Lists the last operation of each grant that its client used within its last 1,000 operations. */
export function listLatestOfGrants(db: Queryable, ownerId: string): Promise<OwnerRow[]> {
  return db.rows<OwnerRow>(latest, [ownerId])
}

// Each condition limits the scan of the index, even if its filter is absent.
const within = (row: string) => `${row}.owner_id = $1 AND ${row}.client_id = reader.client_id
      AND ${row}.created_at >= coalesce($3::timestamptz, '-infinity') AND ${row}.created_at < coalesce($4::timestamptz, 'infinity')
      AND (${row}.created_at, ${row}.id) < (coalesce($5::timestamptz, 'infinity'), coalesce($6::uuid, '${greatestId}'))`
const chosen = 'reader.client_id = coalesce($2, reader.client_id)'

const history = statement(
  'history_of_owner',
  `${readers}
  SELECT ${shown} FROM (SELECT newest.* FROM reader CROSS JOIN LATERAL (
      SELECT ${columns} FROM operations o WHERE ${within('o')} ORDER BY created_at DESC, id DESC LIMIT $7) newest
    WHERE ${chosen} ORDER BY newest.created_at DESC, newest.id DESC LIMIT $7) newest ${withPayment}
  ORDER BY newest.created_at DESC, newest.id DESC`,
)

// A payment and its operation are created at the same moment. The position of a page is therefore the same in both
// tables.
const payments = statement(
  'payments_of_owner',
  `${readersOf('transfers')}
  SELECT o.*, t.amount::text AS amount, t.currency, t.beneficiary_id, t.mandate_id FROM (
    SELECT newest.* FROM reader CROSS JOIN LATERAL (
      SELECT * FROM transfers t WHERE ${within('t').replaceAll('t.id', 't.operation_id')}
        AND ($8::uuid IS NULL OR t.mandate_id = $8)
      ORDER BY created_at DESC, operation_id DESC LIMIT $7) newest
    WHERE ${chosen} ORDER BY newest.created_at DESC, newest.operation_id DESC LIMIT $7) t
  CROSS JOIN LATERAL (SELECT ${columns} FROM operations WHERE id = t.operation_id LIMIT 1) o
  ORDER BY o.created_at DESC, o.id DESC`,
)

/** Lists one page of the owner's operations, or of the owner's payments, newest first. */
export function listHistory(db: Queryable, request: OwnerHistoryRequest): Promise<OwnerRow[]> {
  const { owner_id, client_id, mandate_id, payments_only, from, until, after } = request
  const limit = Math.min(Math.max(1, request.limit), ownerHistoryPage)
  const bounds = [owner_id, client_id, from, until, after?.created_at ?? null, after?.id ?? null, limit]
  return payments_only ? db.rows(payments, [...bounds, mandate_id]) : db.rows(history, bounds)
}

const one = statement(
  'operation_of_owner',
  `SELECT ${shown}, t.reference_sealed
  FROM (SELECT ${columns} FROM operations WHERE id = $2 AND owner_id = $1) newest ${withPayment}`,
)

const course = statement(
  'course_of_operation',
  'SELECT to_state AS to, at FROM moves WHERE operation_id = $1 ORDER BY sequence',
)

type OneRow = OwnerRow & { reference_sealed: Buffer | null }

/** Finds an operation of the owner, its sealed memo, and the states that it reached, oldest first. */
export async function findOfOwner(
  db: Queryable,
  ownerId: string,
  id: string,
): Promise<{ row: OneRow; moves: { to: OperationState; at: Date }[] } | undefined> {
  const [row] = await db.rows<OneRow>(one, [ownerId, id])
  return row && { row, moves: await db.rows<{ to: OperationState; at: Date }>(course, [id]) }
}
