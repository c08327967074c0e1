/** Operations: written once, moved only by projection and by approvals, never removed. */

import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { kindFacts } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'
import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'
import type { Mark } from '@financial-agents/witness/witness'
import type { Offer } from '../offer.ts'
import { type ViewRow, viewColumns } from '../tables.ts'
import { inFlight, terminal } from './in-flight.ts'

/** The pause after which the background job looks again at an operation that is not `accepted`: there is nothing to publish of it. */
const lookAgain = "interval '1 hour'"

const insert = statement(
  'insert_operations',
  `WITH item AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[],
      $8::text[], $9::text[], $10::uuid[], $11::text[], $12::text[], $13::text[], $14::text[], $15::timestamptz[])
      AS item (id, owner_id, subject, client_id, grant_id, binding_id, mandate_id,
        kind, resource_type, resource_id, target_reference, payload_sealed, traceparent, state, authority_ends_at)
  ), noted AS (
    INSERT INTO in_flight_batches (batch_id, operation_ids, publish_after) VALUES (($1::uuid[])[1], $1, $17::timestamptz)
  )
  INSERT INTO operations (id, owner_id, subject, client_id, grant_id, binding_id, mandate_id, kind, resource_type,
    resource_id, target_reference, payload_sealed, traceparent, state, authority_ends_at, sequence, created_at, updated_at,
    accepted_at)
  SELECT id, owner_id, subject, client_id, grant_id, binding_id, mandate_id, kind, resource_type,
    resource_id, target_reference, decode(payload_sealed, 'base64'), traceparent, state, authority_ends_at, 1,
    $16::timestamptz, $16, CASE state WHEN 'accepted' THEN $16 END
  FROM item CROSS JOIN (SELECT mark($18, $19, $20)) counted`,
)

/** The first state of an operation. */
export type Beginning = 'accepted' | 'requires_action'

/** Writes operations and lists them as in flight. Their first move is not written: the view `moves` derives it. */
export async function recordOperations(
  tx: Queryable,
  offers: readonly Offer[],
  beginningOf: (offer: Offer) => Beginning,
  stamp: { now: Date; publishAfter: Date; mark: Mark },
): Promise<void> {
  const column = (value: (offer: Offer) => string | null) => offers.map(value)
  await tx.rows(insert, [
    column(({ request }) => request.operation_id),
    column(({ owner_id }) => owner_id),
    column(({ request }) => request.principal.subject),
    column(({ client_id }) => client_id),
    column(({ request }) => request.principal.grant_id),
    column(({ binding_id }) => binding_id),
    column(({ request }) => request.mandate_id),
    column(({ request }) => request.kind),
    column(({ request }) => kindFacts[request.kind].resource),
    column(({ request }) => request.resource_id),
    column(({ request }) => request.target_reference),
    column(({ request }) => request.payload_sealed),
    column(({ request }) => request.traceparent),
    column(beginningOf),
    column(({ authority_ends_at }) => authority_ends_at),
    stamp.now,
    stamp.publishAfter,
    ...stamp.mark,
  ])
}

/** The row that `recordOperations` writes, without a read. */
export function begunRow({ request }: Offer, state: Beginning, now: Date): ViewRow {
  return {
    id: request.operation_id,
    kind: request.kind,
    state,
    failure_code: null,
    failure_detail: null,
    resource_type: kindFacts[request.kind].resource,
    resource_id: request.resource_id,
    upstream_reference: null,
    next_reconcile_at: null,
    action_required: null,
    created_at: now,
    updated_at: now,
  }
}

// The row is found by its id alone. Beside millions of rows, PostgreSQL may take the index of an owner's list for a
// condition on the owner as well, and then reads all entries of that owner.
export const findOwned = statement(
  'find_operations',
  `SELECT item.position, o.*
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
    WITH ORDINALITY AS item (id, owner_id, subject, client_id, position)
  CROSS JOIN LATERAL (SELECT * FROM operations WHERE id = item.id LIMIT 1) stored
  CROSS JOIN LATERAL (SELECT ${viewColumns.map((column) => `stored.${column}`).join(', ')}) o
  WHERE stored.owner_id = item.owner_id AND stored.subject = item.subject AND stored.client_id = item.client_id`,
)

export type OwnedId = { id: string; owner_id: string; subject: string; client_id: string }

/** Finds each operation if it belongs to its owner, subject and client, in the order of the items. */
export async function findOperations(db: Queryable, items: readonly OwnedId[]): Promise<(ViewRow | undefined)[]> {
  const rows = await db.rows<ViewRow & { position: number }>(findOwned, [
    items.map((item) => item.id),
    items.map((item) => item.owner_id),
    items.map((item) => item.subject),
    items.map((item) => item.client_id),
  ])
  const byPosition = new Map(rows.map((row) => [row.position, row]))
  return items.map((_item, index) => byPosition.get(index + 1))
}

const payloads = statement(
  'find_payloads',
  `SELECT o.* FROM unnest($1::uuid[]) AS item (id)
  CROSS JOIN LATERAL (SELECT id, kind, resource_id, state, sequence, owner_id, subject, client_id, grant_id, binding_id,
    mandate_id, authority_ends_at, target_reference, accepted_at, traceparent, payload_sealed FROM operations o WHERE o.id = item.id LIMIT 1) o`,
)

type PayloadRow = Omit<AcceptedOperation, 'operation_id' | 'accepted_at' | 'authority_ends_at' | 'payload_sealed'> & {
  id: string
  authority_ends_at: Date | null
  accepted_at: Date
  payload_sealed: Buffer | null
}

/** The operations as the submitter needs them. Ids without an accepted operation are absent. */
export async function findPayloads(db: Queryable, operationIds: readonly string[]): Promise<AcceptedOperation[]> {
  const rows = await db.rows<PayloadRow>(payloads, [operationIds])
  return rows
    .filter((row) => row.accepted_at !== null)
    .map(({ id, accepted_at, authority_ends_at, payload_sealed, ...row }) => ({
      ...row,
      operation_id: id,
      accepted_at: accepted_at.toISOString(),
      authority_ends_at: authority_ends_at?.toISOString() ?? null,
      payload_sealed: payload_sealed?.toString('base64') ?? null,
    }))
}

// The pause doubles with the age of the operation, so that a long outage of the submitter does not fill the stream.
const pauseFor = (state: string, acceptedAt: string) => `CASE ${state}
  WHEN 'accepted' THEN LEAST(GREATEST($1::timestamptz - ${acceptedAt}, $3::interval), $4::interval) ELSE ${lookAgain} END`

// The table holds little more than the operations in flight. An index on the time would cost each operation more than
// the scan costs.
const takeUnclaimed = statement(
  'take_unclaimed',
  `WITH due AS MATERIALIZED (
    SELECT operation_id FROM in_flight WHERE publish_after <= $1::timestamptz
    ORDER BY operation_id LIMIT $2 FOR UPDATE SKIP LOCKED
  ), seen AS MATERIALIZED (
    SELECT o.* FROM due CROSS JOIN LATERAL (
      SELECT id, kind, traceparent, state, accepted_at FROM operations WHERE id = due.operation_id LIMIT 1) o
  ), put_off AS (
    UPDATE in_flight SET publish_after = $1 + ${pauseFor('seen.state', 'seen.accepted_at')}
    FROM seen WHERE in_flight.operation_id = seen.id
  )
  SELECT id AS taken, id, kind, traceparent, state FROM seen`,
)

const takeUnclaimedBatches = statement(
  'take_unclaimed_batches',
  `WITH due AS MATERIALIZED (
    SELECT batch_id, operation_ids FROM in_flight_batches WHERE publish_after <= $1::timestamptz
    ORDER BY batch_id LIMIT $2 FOR UPDATE SKIP LOCKED
  ), seen AS MATERIALIZED (
    SELECT due.batch_id, o.* FROM due CROSS JOIN unnest(operation_ids) AS item (operation_id) CROSS JOIN LATERAL (
      SELECT id, kind, traceparent, state, accepted_at FROM operations
      WHERE id = item.operation_id AND state NOT IN (${terminal}) LIMIT 1) o
  ), settled AS (
    DELETE FROM in_flight_batches WHERE batch_id IN (SELECT batch_id FROM due EXCEPT SELECT batch_id FROM seen)
  ), put_off AS (
    UPDATE in_flight_batches b SET operation_ids = kept.operation_ids, publish_after = $1 + kept.pause
    FROM (SELECT batch_id, array_agg(id ORDER BY id) AS operation_ids, min(${pauseFor('state', 'accepted_at')}) AS pause
      FROM seen GROUP BY batch_id) kept
    WHERE b.batch_id = kept.batch_id
  )
  SELECT due.batch_id AS taken, id, kind, traceparent, state FROM due LEFT JOIN seen USING (batch_id)`,
)

type Unclaimed = { id: string; kind: string; traceparent: string }
type Pauses = { now: Date; shortestMs: number; longestMs: number }
type UnclaimedPage = { unclaimed: Unclaimed[]; more: boolean }

/**
 * Takes accepted operations that were not claimed in time, and plans their next background job. `more` is true if more may be
 * due.
 * @param limits numbers of operations that are listed one by one, and of batches
 */
export async function takeUnclaimedOperations(
  db: Queryable,
  limits: { operations: number; batches: number },
  pauses: Pauses,
): Promise<UnclaimedPage> {
  const single = await takeFrom(db, takeUnclaimed, limits.operations, pauses)
  const together = await takeFrom(db, takeUnclaimedBatches, limits.batches, pauses)
  return { unclaimed: [...single.unclaimed, ...together.unclaimed], more: single.more || together.more }
}

async function takeFrom(db: Queryable, take: Statement, limit: number, pauses: Pauses): Promise<UnclaimedPage> {
  type Row = Unclaimed & { taken: string; state: OperationState | null }
  const { now, shortestMs, longestMs } = pauses
  const rows = await db.rows<Row>(take, [now, limit, interval(shortestMs), interval(longestMs)])
  return {
    unclaimed: rows.filter(({ state }) => state === 'accepted'),
    more: new Set(rows.map(({ taken }) => taken)).size === limit,
  }
}

export const unsettledBindings = statement(
  'unsettled_bindings',
  `SELECT DISTINCT binding_id FROM (${inFlight('o.binding_id')}) flying WHERE binding_id = ANY ($1::text[])`,
)

/**
 * Returns the bindings that have operations without an outcome. The query reads only operations in flight, not all
 * stored ones.
 */
export async function findUnsettledBindings(db: Queryable, bindingIds: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ binding_id: string }>(unsettledBindings, [bindingIds])
  return rows.map(({ binding_id }) => binding_id)
}

function interval(ms: number): string {
  return `${ms} milliseconds`
}
