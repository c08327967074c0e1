/**
 * Transfers: written with their operation, never removed. A transfer counts against its day until it is released.
 *
 * Invariant (write protocol, rule 12): the statement that inserts or releases transfers also moves the day's
 * reservation. A transfer is released once, in the day in which it was reserved.
 */

import type { WitnessedPayment } from '@financial-agents/bus/messages/witness'
import type { Position } from '@financial-agents/contract/cursor'
import type { PaymentKind } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Offer } from '../offer.ts'

const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const move = (sums: string, sign: '+' | '-') => `locked AS (
    SELECT owner_id, client_id, currency, day, ${sums}.amount
    FROM ${sums} JOIN ceiling_days c USING (owner_id, client_id, currency, day)
    ORDER BY owner_id, client_id, currency, day FOR UPDATE OF c)
  UPDATE ceiling_days c SET reserved = c.reserved ${sign} locked.amount FROM locked
  WHERE (c.owner_id, c.client_id, c.currency, c.day) = (locked.owner_id, locked.client_id, locked.currency, locked.day)`

const insert = statement(
  'insert_transfers',
  `WITH item AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::numeric[], $8::text[],
      $9::text[], $10::text[])
      AS item (id, operation_id, owner_id, client_id, mandate_id, beneficiary_id, amount, currency, rule, reference)
  ), written AS (
    INSERT INTO transfers (id, operation_id, owner_id, client_id, mandate_id, beneficiary_id, amount, currency, rule,
      reference_sealed, day, created_at)
    SELECT id, operation_id, owner_id, client_id, mandate_id, beneficiary_id, amount, currency, rule,
      decode(reference, 'base64'), $11::date, $12 FROM item
  ), sums AS MATERIALIZED (
    SELECT owner_id, client_id, currency, $11::date AS day, sum(amount) AS amount FROM item GROUP BY 1, 2, 3
  ), ${move('sums', '+')}`,
)

/**
 * Writes the transfers of these offers, and reserves them in a day that the transaction has locked. Other offers cost
 * nothing.
 */
export async function recordTransfers(
  tx: Queryable,
  offers: readonly Offer[],
  stamp: { now: Date; day: string },
): Promise<void> {
  const paying = offers.flatMap(({ owner_id, client_id, request }) => {
    const { payment, resource_id, operation_id, mandate_id } = request
    return payment ? [{ ...payment, owner_id, client_id, resource_id, operation_id, mandate_id }] : []
  })
  if (paying.length === 0) return
  await tx.rows(insert, [
    paying.map((item) => item.resource_id),
    paying.map((item) => item.operation_id),
    paying.map((item) => item.owner_id),
    paying.map((item) => item.client_id),
    paying.map((item) => item.mandate_id),
    paying.map((item) => item.beneficiary_id),
    paying.map((item) => item.amount),
    paying.map((item) => item.currency),
    paying.map((item) => item.rule),
    paying.map((item) => item.reference_sealed),
    stamp.day,
    stamp.now,
  ])
}

const insertLost = statement(
  'insert_lost_transfers',
  `WITH written AS (
    INSERT INTO transfers (id, operation_id, owner_id, client_id, mandate_id, beneficiary_id, amount, currency, day, created_at)
    SELECT id, operation_id, owner_id, client_id, mandate_id, beneficiary_id, amount, currency, day, $2
    FROM jsonb_to_recordset($1::jsonb) AS lost (id uuid, operation_id uuid, owner_id text, client_id text, mandate_id uuid,
      beneficiary_id uuid, amount numeric, currency text, day date)
    ON CONFLICT DO NOTHING RETURNING owner_id, client_id, currency, day, amount
  ), sums AS MATERIALIZED (
    SELECT owner_id, client_id, currency, day, sum(amount) AS amount FROM written GROUP BY 1, 2, 3, 4
  ), ${move('sums', '+')}`,
)

/**
 * Writes the transfers of operations that the database has lost, and reserves them in days that the transaction has locked. Those that
 * are written already change nothing. Nobody is shown a transfer without its operation.
 */
export async function recordLostTransfers(tx: Queryable, lost: readonly WitnessedPayment[], now: Date): Promise<void> {
  if (lost.length > 0) await tx.rows(insertLost, [JSON.stringify(lost), now])
}

const list = statement(
  'list_payments',
  `SELECT operation_id, id, owner_id, client_id, mandate_id, beneficiary_id, amount::text AS amount, currency, day::text AS day
  FROM transfers WHERE operation_id = ANY ($1::uuid[])`,
)

/** The payments of these operations, as far as they are reserved. */
export function listPayments(db: Queryable, operationIds: readonly string[]): Promise<WitnessedPayment[]> {
  return db.rows(list, [operationIds])
}

const release = statement(
  'release_transfers',
  `WITH released AS (
    UPDATE transfers SET released_at = $2 WHERE operation_id = ANY ($1::uuid[]) AND released_at IS NULL
    RETURNING owner_id, client_id, currency, day, amount
  ), sums AS MATERIALIZED (
    SELECT owner_id, client_id, currency, day, sum(amount) AS amount FROM released GROUP BY 1, 2, 3, 4
  ), ${move('sums', '-')}`,
)

/** The states that say that no money moved. */
export const movedNothing: ReadonlySet<OperationState> = new Set(['failed', 'cancelled'])

/**
 * Releases the reservations of operations whose state says that no money moved. All others still count, however
 * uncertain they are. Runs in the transaction that moves their views.
 */
export async function releaseTransfers(
  tx: Queryable,
  moved: readonly { id: string; state: OperationState }[],
  now: Date,
): Promise<void> {
  const ids = moved.filter(({ state }) => movedNothing.has(state)).map(({ id }) => id)
  if (ids.length > 0) await tx.rows(release, [ids, now])
}

/** A transfer with the columns that are read from its operation. */
export type TransferRow = {
  id: string
  operation_id: string
  kind: PaymentKind
  state: OperationState
  mandate_id: string | null
  beneficiary_id: string
  amount: string
  currency: string
  rule: string | null
  reference_sealed: Buffer | null
  upstream_reference: string | null
  created_at: Date
  updated_at: Date
}

export type TransferOwner = { owner_id: string; client_id: string; subject: string }

const shown = `t.id, t.operation_id, o.kind, o.state, t.mandate_id, t.beneficiary_id, t.amount::text AS amount, t.currency, t.rule,
    t.reference_sealed, o.upstream_reference, t.created_at, o.updated_at`
const withOperation = `CROSS JOIN LATERAL (SELECT kind, state, upstream_reference, updated_at FROM operations o
    WHERE o.id = t.operation_id AND o.subject = $3 LIMIT 1) o`

const findOne = statement(
  'find_transfer',
  `SELECT ${shown} FROM transfers t ${withOperation} WHERE t.owner_id = $1 AND t.client_id = $2 AND t.id = $4`,
)

export async function findTransfer(db: Queryable, owner: TransferOwner, id: string): Promise<TransferRow | undefined> {
  const [row] = await db.rows<TransferRow>(findOne, [owner.owner_id, owner.client_id, owner.subject, id])
  return row
}

// Each condition limits the scan of the index, even if its filter is absent.
const listSome = statement(
  'list_transfers',
  `SELECT ${shown} FROM transfers t ${withOperation}
  WHERE t.owner_id = $1 AND t.client_id = $2
    AND t.created_at > coalesce($4::timestamptz, '-infinity') AND t.created_at < coalesce($5::timestamptz, 'infinity')
    AND (t.created_at, t.id) < (coalesce($6::timestamptz, 'infinity'), coalesce($7::uuid, '${greatestId}'))
    AND ($8::uuid IS NULL OR t.mandate_id = $8) AND ($9::uuid IS NULL OR t.beneficiary_id = $9)
    AND ($10::text IS NULL OR o.state = $10)
  ORDER BY t.created_at DESC, t.id DESC LIMIT $11`,
)

export type TransferFilters = {
  mandate_id?: string | undefined
  beneficiary_id?: string | undefined
  state?: OperationState | undefined
  created_after?: string | undefined
  created_before?: string | undefined
}

/** Finds transfers, newest first, after the position `after`. */
export function findTransfers(
  db: Queryable,
  owner: TransferOwner,
  filters: TransferFilters,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<TransferRow[]> {
  const { mandate_id, beneficiary_id, state, created_after, created_before } = filters
  return db.rows(listSome, [
    owner.owner_id,
    owner.client_id,
    owner.subject,
    // PostgreSQL accepts fewer time offsets than RFC 3339 permits.
    created_after === undefined ? null : new Date(created_after),
    created_before === undefined ? null : new Date(created_before),
    after?.created_at ?? null,
    after?.id ?? null,
    mandate_id ?? null,
    beneficiary_id ?? null,
    state ?? null,
    limit,
  ])
}
