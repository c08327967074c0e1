/**
 * The state of each owner's verification: one row an owner, written only from reads of the provider.
 *
 * Invariant: a read that began earlier never replaces the result of a later one. Each change is recorded in the same
 * transaction.
 */

import type { KycReasonCode, KycStatus } from '@financial-agents/contract/schemas/kyc'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { pruneByAge } from '@financial-agents/postgres/prune'
import { nextReadAt, nextTryAt } from './kyc-schedule.ts'

export type Kyc = {
  status: KycStatus
  reason_code: KycReasonCode | null
  changed_at: Date
  /** Both are null until the provider has been read. */
  binding_id: string | null
  read_at: Date | null
  follow_until: Date | null
  due_at: Date | null
}

/** The owner's connection, chosen as `int.onboarding.bindings` does, and the known state of the verification. */
export type Standing = {
  binding: { id: string; status: 'connected' | 'disconnecting' | 'disconnected' } | null
  kyc: Kyc | null
}

const columns = ['status', 'reason_code', 'changed_at', 'binding_id', 'read_at', 'follow_until', 'due_at']

export const standingOfOwner = statement(
  'onboarding_standing',
  `SELECT b.id AS connection_id, b.status AS connection_status, ${columns.map((name) => `k.${name}`).join(', ')}
   FROM (VALUES ($1::uuid)) o (owner_id)
   LEFT JOIN LATERAL (
     SELECT id, status FROM bindings WHERE owner_id = o.owner_id
     ORDER BY status = 'connected' DESC, status = 'disconnecting' DESC, connected_at DESC LIMIT 1) b ON true
   LEFT JOIN kyc k ON k.owner_id = o.owner_id`,
)

type StandingRow = { [Name in keyof Kyc]: Kyc[Name] | null } & {
  connection_id: string | null
  connection_status: 'connected' | 'disconnecting' | 'disconnected' | null
}

export async function findStanding(db: Queryable, ownerId: string): Promise<Standing> {
  const [row] = isUuid(ownerId) ? await db.rows<StandingRow>(standingOfOwner, [ownerId]) : []
  if (row === undefined) return { binding: null, kyc: null }
  const { connection_id, connection_status, ...kyc } = row
  return {
    binding: connection_id && connection_status ? { id: connection_id, status: connection_status } : null,
    kyc: kyc.status === null ? null : (kyc as Kyc),
  }
}

export const insertKyc = statement(
  'onboarding_kyc_first',
  `INSERT INTO kyc (owner_id, status, changed_at) VALUES ($1, 'not_started', $2) ON CONFLICT (owner_id) DO NOTHING`,
)

export const lockKyc = statement(
  'onboarding_kyc_locked',
  `SELECT ${columns.join(', ')} FROM kyc WHERE owner_id = $1 FOR UPDATE`,
)

/** Locks the row until the transaction ends. An owner without a row gets one as `not_started` at `now`. */
export async function lockKycOf(tx: Queryable, ownerId: string, now: Date): Promise<Kyc> {
  await tx.rows(insertKyc, [ownerId, now])
  const [row] = await tx.rows<Kyc>(lockKyc, [ownerId])
  if (row === undefined) throw new Error('the row of an owner that was just made is gone')
  return row
}

/** The result of a read of the provider, in our words. */
export type KycRead = Pick<Kyc, 'status' | 'reason_code' | 'changed_at'> & { binding_id: string; read_at: Date }

export const updateKyc = statement(
  'onboarding_kyc_update',
  `UPDATE kyc SET status = $2, reason_code = $3, changed_at = $4, binding_id = $5, read_at = $6, due_at = $7 WHERE owner_id = $1 RETURNING ${columns.join(', ')}`,
)

const insertChange = statement(
  'onboarding_kyc_change',
  `INSERT INTO kyc_changes (owner_id, binding_id, status, reason_code, changed_at, recorded_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
)

/** Returns the new row. `changed`: the read differs from what was known. */
export function recordKycRead(
  db: Database,
  ownerId: string,
  read: KycRead,
  now: Date,
): Promise<{ kyc: Kyc; changed: boolean }> {
  return db.transaction(async (tx) => {
    const known = await lockKycOf(tx, ownerId, read.changed_at)
    if (known.read_at !== null && known.read_at > read.read_at) return { kyc: known, changed: false }
    const { status, reason_code, changed_at, binding_id, read_at } = read
    const dueAt = nextReadAt({ ...known, ...read }, now, Math.random())
    const values = [ownerId, status, reason_code, changed_at, binding_id, read_at, dueAt]
    const [kyc] = await tx.rows<Kyc>(updateKyc, values)
    if (kyc === undefined) throw new Error('a locked row is gone')
    const changed = known.read_at === null || known.status !== status || known.reason_code !== reason_code
    if (changed) await tx.rows(insertChange, [ownerId, binding_id, status, reason_code, changed_at, now])
    return { kyc, changed }
  })
}

export const wishKyc = statement(
  'onboarding_kyc_wish',
  `INSERT INTO kyc (owner_id, status, changed_at, due_at) VALUES ($1, 'not_started', $2, $2)
   ON CONFLICT (owner_id) DO UPDATE SET due_at = least(coalesce(kyc.due_at, $2), $2)`,
)

/** Makes a read of the provider due now. No client waits for it. */
export async function recordKycWish(db: Queryable, ownerId: string, now: Date): Promise<void> {
  await db.rows(wishKyc, [ownerId, now])
}

export const followKycUntil = statement(
  'onboarding_kyc_follow',
  `UPDATE kyc SET follow_until = greatest(follow_until, $2), due_at = least(coalesce(due_at, $3), $3) WHERE owner_id = $1`,
)

/** A visit was opened. Its result is looked for until `until`, first at `dueAt`. */
export async function recordKycFollowed(db: Queryable, ownerId: string, until: Date, dueAt: Date): Promise<void> {
  await db.rows(followKycUntil, [ownerId, until, dueAt])
}

export const lockDueKyc = statement(
  'onboarding_kyc_lock_due',
  'SELECT owner_id FROM kyc WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED',
)

// A separate statement, because it must see every connection whose wish for a read came before the locks.
export const takeDueKyc = statement(
  'onboarding_kyc_take_due',
  `WITH due AS (
     SELECT o.owner_id, b.id AS binding_id FROM unnest($2::uuid[]) AS o (owner_id)
     LEFT JOIN bindings b ON b.owner_id = o.owner_id AND b.status = 'connected')
   UPDATE kyc SET due_at = CASE WHEN due.binding_id IS NOT NULL THEN $1::timestamptz + interval '1 minute' END
   FROM due WHERE kyc.owner_id = due.owner_id RETURNING kyc.owner_id, due.binding_id`,
)

/**
 * Takes owners whose verification is due. Each is postponed by a minute, in which the read ends or fails. A null
 * `binding_id` means that no binding is connected: nothing is due until the owner connects.
 */
export function takeDue(
  db: Database,
  now: Date,
  limit: number,
): Promise<{ owner_id: string; binding_id: string | null }[]> {
  return db.transaction(async (tx) => {
    const due = await tx.rows<{ owner_id: string }>(lockDueKyc, [now, limit])
    return due.length === 0 ? [] : tx.rows(takeDueKyc, [now, due.map(({ owner_id }) => owner_id)])
  })
}

export const putOffKyc = statement('onboarding_kyc_put_off', 'UPDATE kyc SET due_at = $2 WHERE owner_id = $1')

/** Records that the provider refuses the read. */
export async function recordKycUnreadable(db: Queryable, ownerId: string, now: Date): Promise<void> {
  await db.rows(putOffKyc, [ownerId, nextTryAt(now, Math.random())])
}

export const pruneKycChanges = pruneByAge('kyc_changes', 'recorded_at')
