/**
 * Sign-ins under way and, until they expire, their results. They are found by the hash of their id, or by the owner who
 * may connect with one.
 *
 * All secrets are sealed. The reference that asks the provider for the result, and the response with which the browser came
 * back, are erased as soon as there is a result. The credentials of an owner without a connection are erased when the owner
 * connects, at the latest with the row.
 */

import { createHash } from 'node:crypto'
import type { FinishSignInAnswer } from '@financial-agents/bus/messages/sign-in'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'

type Result = Extract<FinishSignInAnswer, { type: 'signed_in' | 'declined' | 'refused' }>

export type SignIn = { expires_at: Date } & (
  | { outcome: null; authentication_sealed: Buffer; response_sealed: Buffer | null }
  | { outcome: 'declined' | 'refused' }
  | {
      outcome: 'signed_in'
      owner_id: string
      display_name: string | null
      locale: string
      timezone: string
    }
)

export function hashSignInId(signInId: string): Buffer {
  return createHash('sha256').update(signInId).digest()
}

/** The sealing context of a sign-in's reference at the provider. */
export function sealingContext(idHash: Buffer): string {
  return `sign-in ${idHash.toString('hex')}`
}

/** The sealing context of the response with which the browser came back. */
export function responseContext(idHash: Buffer): string {
  return `response to ${sealingContext(idHash)}`
}

/** The sealing context of a sign-in's credentials. */
export function credentialsContext(idHash: Buffer): string {
  return `credentials of ${sealingContext(idHash)}`
}

const insert = statement(
  'onboarding_start_sign_in',
  `INSERT INTO sign_ins (id_hash, provider, authentication_sealed, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
)

export async function recordStarted(
  db: Queryable,
  started: { idHash: Buffer; provider: string; authenticationSealed: Buffer; now: Date; expiresAt: Date },
): Promise<void> {
  const { idHash, provider, authenticationSealed, now, expiresAt } = started
  await db.rows(insert, [idHash, provider, authenticationSealed, now, expiresAt])
}

const columns = 'outcome, authentication_sealed, response_sealed, expires_at, owner_id, display_name, locale, timezone'
const byHash = statement('onboarding_sign_in', `SELECT ${columns} FROM sign_ins WHERE id_hash = $1`)
const locked = statement('onboarding_sign_in_locked', `SELECT ${columns} FROM sign_ins WHERE id_hash = $1 FOR UPDATE`)

export async function findSignIn(db: Queryable, idHash: Buffer): Promise<SignIn | undefined> {
  return (await db.rows<SignIn>(byHash, [idHash]))[0]
}

/** Locks the row until the transaction ends. */
export async function findSignInLocked(tx: Queryable, idHash: Buffer): Promise<SignIn | undefined> {
  return (await tx.rows<SignIn>(locked, [idHash]))[0]
}

const claim = statement(
  'onboarding_claim_response',
  `UPDATE sign_ins SET response_sealed = coalesce(response_sealed, $2), asked_until = $3
   WHERE id_hash = $1 AND outcome IS NULL AND (asked_until IS NULL OR asked_until <= $4)
   RETURNING response_sealed`,
)
const release = statement(
  'onboarding_release_response',
  'UPDATE sign_ins SET asked_until = NULL WHERE id_hash = $1 AND asked_until = $2',
)

/**
 * Claims the question to the provider for this caller until `until`. Returns the response to ask with, which is the
 * first one that arrived. Returns undefined if another caller asks, or if there is a result.
 */
export async function claimResponse(
  db: Queryable,
  idHash: Buffer,
  claimed: { responseSealed: Buffer; until: Date; now: Date },
): Promise<Buffer | undefined> {
  const { responseSealed, until, now } = claimed
  return (await db.rows<{ response_sealed: Buffer }>(claim, [idHash, responseSealed, until, now]))[0]?.response_sealed
}

/** Ends the claim of this caller. If there is no result, another caller can then ask with the response. */
export async function releaseResponse(db: Queryable, idHash: Buffer, until: Date): Promise<void> {
  await db.rows(release, [idHash, until])
}

const finish = statement(
  'onboarding_finish_sign_in',
  `UPDATE sign_ins SET outcome = $2, authentication_sealed = NULL, response_sealed = NULL, owner_id = $3, credentials_sealed = $4,
          display_name = $5, locale = $6, timezone = $7 WHERE id_hash = $1 AND outcome IS NULL`,
)

/** The first result stays. `credentialsSealed`: the owner may connect with these until the sign-in expires. */
export async function recordResult(
  db: Queryable,
  idHash: Buffer,
  result: Result,
  credentialsSealed: Buffer | null = null,
): Promise<void> {
  if (result.type !== 'signed_in') {
    await db.rows(finish, [idHash, result.type, null, null, null, null, null])
    return
  }
  const { owner_id, display_name, locale, timezone } = result.owner
  await db.rows(finish, [idHash, 'signed_in', owner_id, credentialsSealed, display_name, locale, timezone])
}

/** Returns undefined as long as there is no result. */
export function resultOf(row: SignIn): Result | undefined {
  if (row.outcome === null) return undefined
  if (row.outcome !== 'signed_in') return { type: row.outcome }
  const { owner_id, display_name, locale, timezone } = row
  return { type: 'signed_in', owner: { owner_id, display_name, locale, timezone } }
}

/** A sign-in that its owner may connect with. */
export type WaitingSignIn = { id_hash: Buffer; provider: string; credentials_sealed: Buffer }

// A sign-in that began before a connection of the owner ended may hold credentials that ended with it.
const waiting = `SELECT id_hash, provider, credentials_sealed FROM sign_ins s
   WHERE owner_id = $1 AND credentials_sealed IS NOT NULL AND expires_at > $2
     AND NOT EXISTS (SELECT FROM bindings b WHERE b.owner_id = $1 AND b.disconnected_at > s.created_at)
   ORDER BY created_at DESC, id_hash LIMIT 1`
export const waitingSignIn = statement('onboarding_waiting_sign_in', waiting)
export const waitingSignInLocked = statement('onboarding_waiting_sign_in_locked', `${waiting} FOR UPDATE OF s`)

/** Returns the owner's latest sign-in that can still connect. */
export async function findWaitingSignIn(db: Queryable, ownerId: string, now: Date): Promise<WaitingSignIn | undefined> {
  return (await db.rows<WaitingSignIn>(waitingSignIn, [ownerId, now]))[0]
}

/** Locks the row until the transaction ends. */
export async function findWaitingSignInLocked(
  tx: Queryable,
  ownerId: string,
  now: Date,
): Promise<WaitingSignIn | undefined> {
  return (await tx.rows<WaitingSignIn>(waitingSignInLocked, [ownerId, now]))[0]
}

export const dropWaiting = statement(
  'onboarding_drop_waiting_credentials',
  'UPDATE sign_ins SET credentials_sealed = NULL WHERE owner_id = $1 AND credentials_sealed IS NOT NULL',
)

/** Called when the owner is connected: none of the owner's sign-ins can connect again. */
export async function dropWaitingCredentials(tx: Queryable, ownerId: string): Promise<void> {
  await tx.rows(dropWaiting, [ownerId])
}

export const pruneSignIns = pruneByAge('sign_ins', 'expires_at')
