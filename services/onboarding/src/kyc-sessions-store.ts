/**
 * Visits to the provider's page where an owner proves their identity. A row names the client that opened the visit,
 * never the address.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'
import type { Kyc } from './kyc-store.ts'

export type KycSession = { id: string; binding_id: string; kyc_status: string; kyc_changed_at: Date } & {
  created_at: Date
  expires_at: Date | null
}

export const latestSession = statement(
  'onboarding_kyc_session_latest',
  `SELECT id, binding_id, kyc_status, kyc_changed_at, created_at, expires_at FROM kyc_sessions
   WHERE owner_id = $1 AND client_id = $2 AND created_at > $3 ORDER BY created_at DESC, id DESC LIMIT 1`,
)

export async function findLatestSession(
  tx: Queryable,
  owner: { owner_id: string; client_id: string },
  after: Date,
): Promise<KycSession | undefined> {
  const [row] = await tx.rows<KycSession>(latestSession, [owner.owner_id, owner.client_id, after])
  return row
}

export const countSessions = statement(
  'onboarding_kyc_sessions_count',
  `SELECT count(*) AS count FROM (
     SELECT FROM kyc_sessions WHERE owner_id = $1 AND created_at > $2 ORDER BY created_at DESC LIMIT $3) latest`,
)

/** Counts visits opened by any client, up to `limit`. */
export async function countSessionsSince(tx: Queryable, ownerId: string, after: Date, limit: number): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(countSessions, [ownerId, after, limit])
  return row?.count ?? 0
}

const insert = statement(
  'onboarding_kyc_session',
  `INSERT INTO kyc_sessions (id, owner_id, client_id, binding_id, kyc_status, kyc_changed_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
)

export async function recordSession(
  tx: Queryable,
  session: { id: string; owner_id: string; client_id: string; binding_id: string },
  { status, changed_at }: Kyc,
  now: Date,
): Promise<void> {
  const { id, owner_id, client_id, binding_id } = session
  await tx.rows(insert, [id, owner_id, client_id, binding_id, status, changed_at, now])
}

export const openSession = statement(
  'onboarding_kyc_session_open',
  'UPDATE kyc_sessions SET expires_at = $2 WHERE id = $1',
)

/** Records the time until which the visit's page exists. A time that has passed means that there is no page. */
export async function recordSessionExpiry(db: Queryable, id: string, expiresAt: Date): Promise<void> {
  await db.rows(openSession, [id, expiresAt])
}

export const pruneSessions = pruneByAge('kyc_sessions', 'created_at')
