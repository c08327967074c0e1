/** The outbox of changes to bindings. A row stays until each service that must know the change has confirmed it. */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { outboxOf } from '@financial-agents/postgres/outbox-figures'

export type Announcement = { id: number; owner_id: string; binding_id: string }

/** The end of a binding. `by_owner`: its owner ended it, so no file connects that owner again. */
export type ToFence = Announcement & { by_owner: boolean }

/** The outboxes that the metrics count. */
export const outboxes = [
  outboxOf('announcements', 'SELECT created_at AS since FROM announcements WHERE announced_at IS NULL ORDER BY id'),
  outboxOf(
    'binding fences',
    'SELECT created_at AS since FROM announcements WHERE fence AND fenced_at IS NULL ORDER BY id',
  ),
]

const insert = statement(
  'onboarding_insert_announcement',
  'INSERT INTO announcements (owner_id, binding_id, fence, created_at) VALUES ($1, $2, $3, $4)',
)

/**
 * Runs in the transaction that changes the binding. `fence`: from now on, nothing may be submitted for this binding.
 */
export async function recordAnnouncement(
  tx: Queryable,
  binding: { owner_id: string; binding_id: string },
  fence: boolean,
  now: Date,
): Promise<void> {
  await tx.rows(insert, [binding.owner_id, binding.binding_id, fence, now])
}

const toAnnounce = statement(
  'onboarding_to_announce',
  'SELECT id, owner_id, binding_id FROM announcements WHERE announced_at IS NULL ORDER BY id LIMIT $1',
)

export function listToAnnounce(db: Queryable, limit: number): Promise<Announcement[]> {
  return db.rows<Announcement>(toAnnounce, [limit])
}

const toFence = statement(
  'onboarding_to_fence',
  `SELECT a.id, a.owner_id, a.binding_id, b.disconnecting_at IS NOT NULL AS by_owner
   FROM announcements a JOIN bindings b ON b.id = a.binding_id WHERE a.fence AND a.fenced_at IS NULL ORDER BY a.id LIMIT $1`,
)

export function listToFence(db: Queryable, limit: number): Promise<ToFence[]> {
  return db.rows<ToFence>(toFence, [limit])
}

/** Counts the ended connections whose fence the submitter has not confirmed. */
export const unconfirmedEnds = statement(
  'onboarding_unconfirmed_ends',
  'SELECT count(*)::int AS count FROM announcements WHERE fence AND fenced_at IS NULL',
)

const toFenceOf = statement(
  'onboarding_to_fence_of',
  `SELECT a.id, a.owner_id, a.binding_id, b.disconnecting_at IS NOT NULL AS by_owner
   FROM announcements a JOIN bindings b ON b.id = a.binding_id
   WHERE a.binding_id = $1 AND a.fence AND a.fenced_at IS NULL ORDER BY a.id`,
)

export function listToFenceOf(db: Queryable, bindingId: string): Promise<ToFence[]> {
  return db.rows<ToFence>(toFenceOf, [bindingId])
}

const toAnnounceOf = statement(
  'onboarding_to_announce_of',
  'SELECT id, owner_id, binding_id FROM announcements WHERE binding_id = $1 AND announced_at IS NULL ORDER BY id',
)

export function listToAnnounceOf(db: Queryable, bindingId: string): Promise<Announcement[]> {
  return db.rows<Announcement>(toAnnounceOf, [bindingId])
}

const announced = statement('onboarding_announced', 'UPDATE announcements SET announced_at = $2 WHERE id = $1')

export async function recordAnnounced(db: Queryable, id: number, now: Date): Promise<void> {
  await db.rows(announced, [id, now])
}

const fenced = statement('onboarding_fenced', 'UPDATE announcements SET fenced_at = $2 WHERE id = $1')

export async function recordFenced(db: Queryable, id: number, now: Date): Promise<void> {
  await db.rows(fenced, [id, now])
}
