/**
 * Subscriptions of an owner and a client. The secret is sealed, and leaves this service only in the answer that created
 * it.
 *
 * Invariant: owner and client hold at most `maxSubscriptions`, also under concurrent creation.
 */

import type { Position } from '@financial-agents/contract/cursor'
import { type WebhookSubscription, webhookEventTypes } from '@financial-agents/contract/schemas/webhook'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

export const maxSubscriptions = 16

export type Holder = { owner_id: string; client_id: string }

type SubscriptionRow = Omit<WebhookSubscription, 'created_at' | 'disabled_at' | 'events' | 'status'> & {
  events: WebhookSubscription['events'] | null
  created_at: Date
  disabled_at: Date | null
}

export type NewSubscription = Holder & {
  id: string
  url: string
  host: string
  description: string | null
  events: string[] | null
  secret_sealed: Buffer
  created_at: Date
}

const shown = 'id, url, description, events, created_at, disabled_at, disabled_reason'

const takeTurn = statement(
  'subscriptions_turn',
  `SELECT pg_advisory_xact_lock(hashtextextended('webhook_subscriptions ' || $1 || ' ' || $2, 0))`,
)

export const insertSubscription = statement(
  'subscriptions_insert',
  `INSERT INTO subscriptions (id, owner_id, client_id, url, host, description, events, secret_sealed, created_at)
   SELECT $1::uuid, $2, $3, $4, $5, $6, $7::text[], $8::bytea, $9::timestamptz
   WHERE (SELECT count(*) FROM subscriptions WHERE owner_id = $2 AND client_id = $3) < ${maxSubscriptions}
   RETURNING ${shown}`,
)

/** Returns undefined if owner and client already hold the maximum. */
export async function recordSubscription(
  db: Database,
  subscription: NewSubscription,
): Promise<WebhookSubscription | undefined> {
  const { id, owner_id, client_id, url, host, description, events, secret_sealed, created_at } = subscription
  const [row] = await db.transaction(async (tx) => {
    await tx.rows(takeTurn, [owner_id, client_id])
    const values = [id, owner_id, client_id, url, host, description, events, secret_sealed, created_at]
    return tx.rows<SubscriptionRow>(insertSubscription, values)
  })
  return row && toSubscription(row)
}

export const oneSubscription = statement(
  'subscriptions_one',
  `SELECT ${shown} FROM subscriptions WHERE id = $1 AND owner_id = $2 AND client_id = $3`,
)

/** Returns undefined for a foreign or an unknown subscription. */
export async function findSubscription(
  db: Queryable,
  { owner_id, client_id }: Holder,
  id: string,
): Promise<WebhookSubscription | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.rows<SubscriptionRow>(oneSubscription, [id, owner_id, client_id])
  return row && toSubscription(row)
}

// While a previous secret signs, the receiver has that one for certain. The one that is replaced may be known to nobody.
export const replaceOne = statement(
  'subscriptions_replace_secret',
  `UPDATE subscriptions SET secret_sealed = $4::bytea, previous_secret_until = $6::timestamptz,
     previous_secret_sealed = CASE WHEN previous_secret_until > $5::timestamptz THEN previous_secret_sealed ELSE secret_sealed END
   WHERE id = $1 AND owner_id = $2 AND client_id = $3 RETURNING ${shown}`,
)

/**
 * Replaces the secret; the previous one also signs until `until`. Returns undefined for a foreign or an unknown
 * subscription.
 */
export async function replaceSecret(
  db: Queryable,
  { owner_id, client_id }: Holder,
  { id, sealed, now, until }: { id: string; sealed: Buffer; now: Date; until: Date },
): Promise<WebhookSubscription | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.rows<SubscriptionRow>(replaceOne, [id, owner_id, client_id, sealed, now, until])
  return row && toSubscription(row)
}

export const forgetPrevious = statement(
  'subscriptions_forget_previous',
  `UPDATE subscriptions SET previous_secret_sealed = NULL, previous_secret_until = NULL WHERE previous_secret_until <= $1`,
)

export const deleteOne = statement(
  'subscriptions_delete',
  'DELETE FROM subscriptions WHERE id = $1 AND owner_id = $2 AND client_id = $3 RETURNING id',
)

/** Returns false if owner and client have no such subscription. */
export async function deleteSubscription(db: Queryable, { owner_id, client_id }: Holder, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const rows = await db.rows(deleteOne, [id, owner_id, client_id])
  return rows.length === 1
}

export const firstSubscriptions = statement(
  'subscriptions_first_page',
  `SELECT ${shown} FROM subscriptions WHERE owner_id = $1 AND client_id = $2 ORDER BY created_at DESC, id DESC LIMIT $3`,
)

export const nextSubscriptions = statement(
  'subscriptions_next_page',
  `SELECT ${shown} FROM subscriptions
   WHERE owner_id = $1 AND client_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
   ORDER BY created_at DESC, id DESC LIMIT $3`,
)

/** Lists subscriptions, newest first, after the position `after`. */
export async function listSubscriptions(
  db: Queryable,
  { owner_id, client_id }: Holder,
  limit: number,
  after: Position | undefined,
): Promise<WebhookSubscription[]> {
  const rows = after
    ? await db.rows<SubscriptionRow>(nextSubscriptions, [owner_id, client_id, limit, after.created_at, after.id])
    : await db.rows<SubscriptionRow>(firstSubscriptions, [owner_id, client_id, limit])
  return rows.map(toSubscription)
}

function toSubscription(row: SubscriptionRow): WebhookSubscription {
  return {
    ...row,
    events: row.events ?? [...webhookEventTypes],
    status: row.disabled_at ? 'disabled' : 'active',
    created_at: row.created_at.toISOString(),
    disabled_at: row.disabled_at?.toISOString() ?? null,
  }
}
