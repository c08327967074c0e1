/**
 * The deliveries of a subscription, as its client sees them, and the deliveries of an operation, as operators see them.
 */

import type { Position } from '@financial-agents/contract/cursor'
import type { WebhookDelivery } from '@financial-agents/contract/schemas/webhook'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

type DeliveryRow = Omit<WebhookDelivery, 'created_at' | 'next_attempt_at'> & {
  created_at: Date
  next_attempt_at: Date | null
}

const shown = 'id, event_type, operation_id, status, attempts, last_status_code, next_attempt_at, created_at'

export const firstDeliveries = statement(
  'deliveries_first_page',
  `SELECT ${shown} FROM deliveries WHERE subscription_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
)

export const nextDeliveries = statement(
  'deliveries_next_page',
  `SELECT ${shown} FROM deliveries WHERE subscription_id = $1 AND (created_at, id) < ($3::timestamptz, $4::uuid)
   ORDER BY created_at DESC, id DESC LIMIT $2`,
)

/** Lists deliveries, newest first, after the position `after`. */
export async function listDeliveries(
  db: Queryable,
  subscriptionId: string,
  limit: number,
  after: Position | undefined,
): Promise<WebhookDelivery[]> {
  const rows = after
    ? await db.rows<DeliveryRow>(nextDeliveries, [subscriptionId, limit, after.created_at, after.id])
    : await db.rows<DeliveryRow>(firstDeliveries, [subscriptionId, limit])
  return rows.map(toDelivery)
}

// A delivery in hand is left to its attempt.
export const resendDelivery = statement(
  'deliveries_resend',
  `UPDATE deliveries SET status = 'pending', next_attempt_at = $3, resent_at = $3
   WHERE id = $1 AND subscription_id = $2 AND lease_id IS NULL RETURNING ${shown}`,
)

export const oneDelivery = statement(
  'deliveries_one',
  `SELECT ${shown} FROM deliveries WHERE id = $1 AND subscription_id = $2`,
)

/** Makes a delivery due now. Returns it as it stands; undefined if the subscription has no such delivery. */
export async function resend(
  db: Queryable,
  subscriptionId: string,
  id: string,
  now: Date,
): Promise<WebhookDelivery | undefined> {
  const [due] = await db.rows<DeliveryRow>(resendDelivery, [id, subscriptionId, now])
  const [row] = due ? [due] : await db.rows<DeliveryRow>(oneDelivery, [id, subscriptionId])
  return row && toDelivery(row)
}

const maxOfOperation = 100

export const deliveriesOfOperation = statement(
  'deliveries_of_operation',
  `SELECT ${shown} FROM deliveries WHERE operation_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${maxOfOperation}`,
)

/** Lists the deliveries of one operation for all subscriptions, newest first, at most 100. */
export async function listDeliveriesOfOperation(db: Queryable, operationId: string): Promise<WebhookDelivery[]> {
  if (!isUuid(operationId)) return []
  return (await db.rows<DeliveryRow>(deliveriesOfOperation, [operationId])).map(toDelivery)
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  }
}
