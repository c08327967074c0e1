/**
 * Decisions on operation ids: accepted or not, once (write protocol, rules 2 and 12). Accept and void insert the same
 * row, so the primary key decides between them.
 */

import type { DecideResponse } from '@financial-agents/bus/messages/operations'
import type { OperationState } from '@financial-agents/contract/machine'
import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'
import type { Offer } from '../offer.ts'
import { type ViewRow, viewColumns } from '../tables.ts'

/** The operation's columns have values only if the id was accepted. */
export type DecisionRow = ViewRow & {
  accepted: boolean
  offer_id: string | null
  request_hash: string | null
  owner_id: string
  client_id: string
}

/**
 * The treatment of ids that are decided already. `skip` decides the others, at the cost of a further WAL record for each
 * row. `fail` fails the transaction, which is then run again with `skip`. Such ids are rare.
 */
export type WhenTaken = 'fail' | 'skip'

// Sorted, so that replicas that decide on the same ids wait for each other in one order.
const insertion = `INSERT INTO decisions (operation_id, offer_id, accepted, request_hash, decided_at)
  SELECT item.*, $5::timestamptz
  FROM unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[]) AS item (operation_id, offer_id, accepted, request_hash)
  ORDER BY operation_id`
const returning = 'RETURNING offer_id'

const insert: Record<WhenTaken, Statement> = {
  fail: statement('insert_decisions', `${insertion} ${returning}`),
  skip: statement('insert_decisions_not_taken', `${insertion} ON CONFLICT DO NOTHING ${returning}`),
}

/**
 * Decides each offered id, accepting it if `accepts` says so. Returns the offers that made the decision.
 * @throws an error for which `isTakenKey` is true, if an id is decided already and `whenTaken` is `fail`
 */
export async function recordDecisions(
  tx: Queryable,
  offers: readonly Offer[],
  options: { accepts: (offer: Offer) => boolean; now: Date; whenTaken: WhenTaken },
): Promise<Set<Offer>> {
  if (offers.length === 0) return new Set()
  const rows = await tx.rows<{ offer_id: string }>(insert[options.whenTaken], [
    offers.map((offer) => offer.request.operation_id),
    offers.map((offer) => offer.offer_id),
    offers.map(options.accepts),
    offers.map((offer) => offer.request.request_hash),
    options.now,
  ])
  const decided = new Set(rows.map((row) => row.offer_id))
  return new Set(offers.filter((offer) => decided.has(offer.offer_id)))
}

const withdraw = statement(
  'withdraw_decisions',
  'UPDATE decisions SET accepted = false WHERE operation_id = ANY ($1::uuid[])',
)

/** Turns acceptances of this transaction into tombstones, because another offer took their keys. */
export async function withdrawDecisions(tx: Queryable, offers: readonly Offer[]): Promise<void> {
  if (offers.length > 0) await tx.rows(withdraw, [offers.map((offer) => offer.request.operation_id)])
}

const lookUp = statement(
  'look_up_decisions',
  `SELECT item.position, d.accepted, d.offer_id, d.request_hash,
    ${['owner_id', 'client_id', ...viewColumns].map((name) => `o.${name}`).join(', ')}
  FROM unnest($1::uuid[]) WITH ORDINALITY AS item (operation_id, position)
  CROSS JOIN LATERAL (SELECT * FROM decisions d WHERE d.operation_id = item.operation_id LIMIT 1) d
  LEFT JOIN LATERAL (SELECT * FROM operations o WHERE d.accepted AND o.id = item.operation_id LIMIT 1) o ON true`,
)

/** Reads the decisions on the offered ids, in a fresh snapshot. */
export async function findDecisions(tx: Queryable, offers: readonly Offer[]): Promise<Map<Offer, DecisionRow>> {
  if (offers.length === 0) return new Map()
  const rows = await tx.rows<DecisionRow & { position: number }>(lookUp, [
    offers.map((offer) => offer.request.operation_id),
  ])
  return new Map(rows.map((row) => [offers[row.position - 1] as Offer, row]))
}

const voidUndecided = statement(
  'void_undecided',
  `INSERT INTO decisions (operation_id, accepted, decided_at)
  SELECT operation_id, false, $2::timestamptz FROM unnest($1::uuid[]) AS item (operation_id)
  ORDER BY operation_id
  ON CONFLICT DO NOTHING`,
)

/** Voids every id that has no decision yet. */
export async function recordVoids(db: Queryable, operationIds: readonly string[], now: Date): Promise<void> {
  await db.rows(voidUndecided, [operationIds, now])
}

const states = statement(
  'decided_states',
  `SELECT item.operation_id, d.accepted, o.state, o.sequence, o.upstream_reference, o.resource_facts AS resource
  FROM unnest($1::uuid[]) AS item (operation_id)
  CROSS JOIN LATERAL (SELECT * FROM decisions d WHERE d.operation_id = item.operation_id LIMIT 1) d
  LEFT JOIN LATERAL (SELECT * FROM operations o WHERE d.accepted AND o.id = item.operation_id LIMIT 1) o ON true`,
)

type Decided = Omit<DecideResponse[number], 'state'>
type StateRow = (Decided & { accepted: true; state: OperationState | null }) | { accepted: false; operation_id: string }

/**
 * Returns the decision on each id: the state of its operation, or `void` with sequence 0. While a month is archived,
 * its operations are removed before their decisions. The ids of such decisions are absent from the answer.
 */
export async function findDecidedStates(db: Queryable, operationIds: readonly string[]): Promise<DecideResponse> {
  const rows = await db.rows<StateRow>(states, [operationIds])
  return rows.flatMap((row): DecideResponse => {
    const { operation_id } = row
    if (!row.accepted) return [{ operation_id, state: 'void', sequence: 0, upstream_reference: null, resource: null }]
    const { state, sequence, upstream_reference, resource } = row
    return state === null ? [] : [{ operation_id, state, sequence, upstream_reference, resource }]
  })
}
