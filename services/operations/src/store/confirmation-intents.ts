/**
 * Confirmation intents. A decision is one statement that requires an open intent, so the first of two decisions is made
 * and no decision is made after expiry. A confirmation can be taken back until an operation consumes it. The statement that ends an intent also erases its quotes of the payload.
 */

import assert from 'node:assert/strict'
import type { OwnerFact } from '@financial-agents/bus/messages/intents'
import type { ConfirmationFact, ConfirmationIntent } from '@financial-agents/contract/schemas/confirmation-intent'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'
import type { Offer } from '../offer.ts'

export type IntentRow = {
  id: string
  owner_id: string
  client_id: string
  grant_id: string
  action: ConfirmationIntent['action']
  /** Equal to the hash of the request that will be sent (decisions, "Idempotency"). */
  request_hash: string
  /** The connection over which the request goes; for a disconnect, the one that it ends. */
  binding_id: string
  /** The action in our own words. */
  summary: string
  facts: { client: ConfirmationFact[]; owner: OwnerFact[] }
  /** The quotes of the payload, sealed. The context is the id. */
  quoted_sealed: Buffer | null
  /** The status as last written. Time makes it `expired`, see `statusOf`. */
  status: Exclude<ConfirmationIntent['status'], 'expired'>
  created_at: Date
  expires_at: Date
  decided_at: Date | null
  consumed_operation_id: string | null
}

export type NewIntent = Omit<IntentRow, 'status' | 'decided_at' | 'quoted_sealed' | 'consumed_operation_id'> & {
  quoted_sealed?: Buffer | null
}

/** The status at a moment. An intent that was not consumed before its expiry is expired, confirmed or not. */
export function statusOf(row: Pick<IntentRow, 'status' | 'expires_at'>, now: Date): ConfirmationIntent['status'] {
  const open = row.status === 'pending' || row.status === 'confirmed'
  return open && row.expires_at <= now ? 'expired' : row.status
}

const columns =
  'id, owner_id, client_id, grant_id, action, request_hash, binding_id, summary, facts, quoted_sealed, status, created_at, expires_at, decided_at, consumed_operation_id'

const insert = statement(
  'insert_intent',
  `INSERT INTO confirmation_intents
    (id, owner_id, client_id, grant_id, action, request_hash, summary, quoted_sealed, status, created_at, expires_at, facts, binding_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9, $10, $11, $12)`,
)

export async function recordIntent(db: Queryable, intent: NewIntent): Promise<void> {
  await db.rows(insert, [
    intent.id,
    intent.owner_id,
    intent.client_id,
    intent.grant_id,
    intent.action,
    intent.request_hash,
    intent.summary,
    intent.quoted_sealed ?? null,
    intent.created_at,
    intent.expires_at,
    JSON.stringify(intent.facts),
    intent.binding_id,
  ])
}

const findOne = statement('find_intent', `SELECT ${columns} FROM confirmation_intents WHERE id = $1 AND owner_id = $2`)

export async function findIntent(db: Queryable, id: string, ownerId: string): Promise<IntentRow | undefined> {
  const [row] = await db.rows<IntentRow>(findOne, [id, ownerId])
  return row
}

const maxWaiting = 20

const waiting = statement(
  'intents_waiting_for_owner',
  `SELECT id, client_id, action, created_at, expires_at, count(*) OVER ()::int AS open FROM confirmation_intents
  WHERE owner_id = $1 AND status = 'pending' AND expires_at > $2 AND ($3::text[] IS NULL OR grant_id = ANY ($3))
  ORDER BY expires_at LIMIT ${maxWaiting}`,
)

/**
 * Lists the owner's open intents, the one that expires first at the beginning, at most 20. `open`: the number of all of
 * them. `grants`: only those under these grants; null: under any.
 */
export function listWaiting(
  db: Queryable,
  ownerId: string,
  { now, grants }: { now: Date; grants: readonly string[] | null },
): Promise<(Pick<IntentRow, 'id' | 'client_id' | 'action' | 'created_at' | 'expires_at'> & { open: number })[]> {
  return db.rows(waiting, [ownerId, now, grants])
}

const decideOne = statement(
  'decide_intent',
  `UPDATE confirmation_intents SET status = $3, decided_at = $4, authenticated_at = $5,
    quoted_sealed = CASE WHEN $3 = 'confirmed' THEN quoted_sealed END
  WHERE id = $1 AND owner_id = $2 AND expires_at > $4
    AND (status = 'pending' OR (status = 'confirmed' AND $3 = 'declined'))
  RETURNING ${columns}`,
)

type Decision = {
  id: string
  owner_id: string
  status: 'confirmed' | 'declined'
  authenticated_at: Date
}

/** Decides an open intent of this owner, or takes its confirmation back. Returns undefined if neither is possible. */
export async function recordDecision(db: Queryable, decision: Decision, now: Date): Promise<IntentRow | undefined> {
  const { id, owner_id, status, authenticated_at } = decision
  const [row] = await db.rows<IntentRow>(decideOne, [id, owner_id, status, now, authenticated_at])
  return row
}

// Sorted, so that replicas that lock the same intents wait for each other in one order.
const lock = statement(
  'lock_intents',
  `SELECT ${columns} FROM confirmation_intents WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`,
)

/** Locks these intents until the transaction ends, and returns them by id. */
export async function lockIntents(tx: Queryable, ids: ReadonlySet<string>): Promise<Map<string, IntentRow>> {
  if (ids.size === 0) return new Map()
  const rows = await tx.rows<IntentRow>(lock, [[...ids]])
  return new Map(rows.map((row) => [row.id, row]))
}

const consume = statement(
  'consume_intents',
  `UPDATE confirmation_intents i SET status = 'consumed', consumed_operation_id = item.operation_id, quoted_sealed = NULL
  FROM unnest($1::uuid[], $2::uuid[]) AS item (id, operation_id)
  WHERE i.id = item.id AND i.status = 'confirmed'
  RETURNING i.id`,
)

/**
 * Consumes the intents of these offers, which the transaction has locked and validated. Offers without an intent cost
 * nothing.
 */
export async function consumeIntents(tx: Queryable, offers: readonly Offer[]): Promise<void> {
  const confirmed = offers.flatMap(({ request }) =>
    request.confirmation ? [{ id: request.confirmation.intent_id, operation_id: request.operation_id }] : [],
  )
  if (confirmed.length === 0) return
  const consumed = await tx.rows(consume, [
    confirmed.map(({ id }) => id),
    confirmed.map(({ operation_id }) => operation_id),
  ])
  assert(consumed.length === confirmed.length, 'an intent was used that was not there to be used')
}

const erase = statement(
  'erase_quoted',
  `WITH over AS (
    SELECT id FROM confirmation_intents WHERE quoted_sealed IS NOT NULL AND expires_at <= $1
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  UPDATE confirmation_intents i SET quoted_sealed = NULL FROM over WHERE i.id = over.id RETURNING i.id`,
)

/** Erases the quotes of at most `limit` intents that are over. Returns the number erased. */
export async function eraseQuoted(db: Queryable, now: Date, limit: number): Promise<number> {
  return (await db.rows(erase, [now, limit])).length
}

export const pruneIntents = pruneByAge('confirmation_intents', 'expires_at')
