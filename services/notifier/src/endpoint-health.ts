/**
 * Disables subscriptions whose receiver fails. An answer 410 disables the subscription at once. A receiver without a
 * success for five days disables it at the next failure.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

export const failingForMs = 5 * 86_400_000

export const healthy = statement(
  'subscriptions_healthy',
  'UPDATE subscriptions SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL',
)

export async function recordEndpointHealthy(db: Queryable, subscriptionId: string): Promise<void> {
  await db.rows(healthy, [subscriptionId])
}

export const failing = statement(
  'subscriptions_failing',
  `UPDATE subscriptions SET failing_since = COALESCE(failing_since, $2::timestamptz),
     disabled_at = CASE WHEN $4 OR failing_since <= $3 THEN $2::timestamptz END,
     disabled_reason = CASE WHEN $4 THEN 'endpoint_gone' WHEN failing_since <= $3 THEN 'endpoint_failing' END
   WHERE id = $1 AND disabled_at IS NULL AND ($4::boolean OR failing_since IS NULL OR failing_since <= $3::timestamptz)
   RETURNING disabled_reason`,
)

/** Records a failure. Returns the reason if it disabled the subscription, else null. */
export async function recordEndpointFailing(
  db: Queryable,
  failure: { subscriptionId: string; gone: boolean; now: Date },
): Promise<string | null> {
  const before = new Date(failure.now.getTime() - failingForMs)
  const [row] = await db.rows<{ disabled_reason: string | null }>(failing, [
    failure.subscriptionId,
    failure.now,
    before,
    failure.gone,
  ])
  return row?.disabled_reason ?? null
}
