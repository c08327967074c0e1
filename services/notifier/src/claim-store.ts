/**
 * Leases of deliveries. One process holds a delivery until its lease ends, and only that process records the result.
 * Hosts take turns: a host with many deliveries, or one that never answers, delays no other.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

// Skips from host to host and reads only the earliest row of each, however many wait.
export const nextHosts = statement(
  'deliveries_next_hosts',
  `WITH RECURSIVE visited (host, next_attempt_at, n) AS (
     (SELECT host, next_attempt_at, 1 FROM deliveries WHERE status = 'pending' AND host > $1
       ORDER BY host, next_attempt_at LIMIT 1)
     UNION ALL
     SELECT following.host, following.next_attempt_at, v.n + 1
     FROM visited v CROSS JOIN LATERAL (SELECT host, next_attempt_at FROM deliveries
       WHERE status = 'pending' AND host > v.host ORDER BY host, next_attempt_at LIMIT 1) following
     WHERE v.n < $2)
   SELECT host, next_attempt_at FROM visited`,
)

/**
 * Lists hosts with waiting deliveries, in order, after the position `after`, each with the time at which its first
 * delivery is due.
 */
export async function listWaitingHosts(
  db: Queryable,
  after: string,
  limit: number,
): Promise<{ host: string; next_attempt_at: Date }[]> {
  return db.rows(nextHosts, [after, limit])
}

/** A leased delivery, with its subscription if that still exists. */
export type Claimed = {
  id: string
  operation_id: string
  sequence: number
  host: string
  body: string
  attempts: number
  waiting_since: Date
  subscription: {
    id: string
    owner_id: string
    client_id: string
    url: string
    secret_sealed: Buffer
    previous_secret_sealed: Buffer | null
    previous_secret_until: Date | null
    active: boolean
  } | null
}

export const claimDue = statement(
  'deliveries_claim',
  `WITH taken AS (
     SELECT due.id FROM unnest($1::text[], $2::integer[]) AS item (host, room)
     CROSS JOIN LATERAL (SELECT id FROM deliveries d
       WHERE d.status = 'pending' AND d.host = item.host AND d.next_attempt_at <= $3
       ORDER BY d.next_attempt_at LIMIT item.room FOR UPDATE SKIP LOCKED) due)
   UPDATE deliveries d SET next_attempt_at = $4, lease_id = $5 FROM taken WHERE d.id = taken.id
   RETURNING d.id, d.subscription_id, d.operation_id, d.sequence, d.host, d.body, d.attempts, coalesce(d.resent_at, d.created_at) AS waiting_since`,
)

export const subscriptionsOf = statement(
  'deliveries_subscriptions',
  `SELECT s.* FROM unnest($1::uuid[]) AS item (id) CROSS JOIN LATERAL (
     SELECT id, owner_id, client_id, url, secret_sealed, previous_secret_sealed, previous_secret_until,
       disabled_at IS NULL AS active
     FROM subscriptions s WHERE s.id = item.id LIMIT 1) s`,
)

export type Lease = { id: string; until: Date }

type ClaimedRow = Omit<Claimed, 'subscription'> & { subscription_id: string }

/** Takes due deliveries, for each host as many as it has room for. */
export async function claimDeliveries(
  db: Queryable,
  rooms: readonly { host: string; room: number }[],
  now: Date,
  lease: Lease,
): Promise<Claimed[]> {
  if (rooms.length === 0) return []
  const rows = await db.rows<ClaimedRow>(claimDue, [
    rooms.map(({ host }) => host),
    rooms.map(({ room }) => room),
    now,
    lease.until,
    lease.id,
  ])
  const ids = [...new Set(rows.map((row) => row.subscription_id))]
  const found = ids.length === 0 ? [] : await db.rows<NonNullable<Claimed['subscription']>>(subscriptionsOf, [ids])
  const byId = new Map(found.map((subscription) => [subscription.id, subscription]))
  return rows.map(({ subscription_id, ...row }) => ({ ...row, subscription: byId.get(subscription_id) ?? null }))
}

export type Result = {
  id: string
  status: 'pending' | 'delivered' | 'failed'
  /** The attempt, if anything was sent: the answer's status, or null if none came. */
  attempt: { statusCode: number | null } | null
  /** The next attempt of a delivery that stays pending. */
  nextAttemptAt: Date | null
}

export const settleLeased = statement(
  'deliveries_settle',
  `UPDATE deliveries d SET status = item.status, next_attempt_at = item.next_attempt_at, lease_id = NULL,
     attempts = d.attempts + item.attempted::integer,
     last_status_code = CASE WHEN item.attempted THEN item.status_code ELSE d.last_status_code END
   FROM unnest($2::uuid[], $3::text[], $4::boolean[], $5::integer[], $6::timestamptz[])
     AS item (id, status, attempted, status_code, next_attempt_at)
   WHERE d.id = item.id AND d.lease_id = $1
   RETURNING d.id`,
)

/** Records results and releases the leases. A delivery whose lease another process took over does not change. */
export async function recordResults(db: Queryable, leaseId: string, results: readonly Result[]): Promise<void> {
  if (results.length === 0) return
  await db.rows(settleLeased, [
    leaseId,
    results.map(({ id }) => id),
    results.map(({ status }) => status),
    results.map(({ attempt }) => attempt !== null),
    results.map(({ attempt }) => attempt?.statusCode ?? null),
    results.map(({ nextAttemptAt }) => nextAttemptAt),
  ])
}

export const deleteLeased = statement(
  'deliveries_delete',
  'DELETE FROM deliveries WHERE id = ANY ($1::uuid[]) AND lease_id = $2',
)

/** Deletes deliveries whose subscription was deleted. */
export async function deleteDeliveries(db: Queryable, leaseId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.rows(deleteLeased, [ids, leaseId])
}
