/**
 * Sign-ins under way and, until they expire, what became of them. Found by the hash of their id alone; what the provider
 * would tell the result for is sealed, and goes as soon as there is a result.
 */

import { createHash } from 'node:crypto'
import type { FinishSignInAnswer } from '@financial-agents/bus/messages/sign-in'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'

type Result = Extract<FinishSignInAnswer, { type: 'signed_in' | 'declined' }>

export type SignIn = { expires_at: Date } & (
  | { outcome: null; authentication_sealed: Buffer }
  | { outcome: 'declined' }
  | {
      outcome: 'signed_in'
      owner_id: string
      binding_id: string
      display_name: string | null
      locale: string
      timezone: string
    }
)

export function hashSignInId(signInId: string): Buffer {
  return createHash('sha256').update(signInId).digest()
}

/** What a sign-in's provider reference is sealed for. */
export function sealingContext(idHash: Buffer): string {
  return `sign-in ${idHash.toString('hex')}`
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

const columns = 'outcome, authentication_sealed, expires_at, owner_id, binding_id, display_name, locale, timezone'
const byHash = statement('onboarding_sign_in', `SELECT ${columns} FROM sign_ins WHERE id_hash = $1`)
const locked = statement('onboarding_sign_in_locked', `SELECT ${columns} FROM sign_ins WHERE id_hash = $1 FOR UPDATE`)

export async function findSignIn(db: Queryable, idHash: Buffer): Promise<SignIn | undefined> {
  return (await db.rows<SignIn>(byHash, [idHash]))[0]
}

/** Held until the transaction ends. */
export async function findSignInLocked(tx: Queryable, idHash: Buffer): Promise<SignIn | undefined> {
  return (await tx.rows<SignIn>(locked, [idHash]))[0]
}

const finish = statement(
  'onboarding_finish_sign_in',
  `UPDATE sign_ins SET outcome = $2, authentication_sealed = NULL, owner_id = $3, binding_id = $4, display_name = $5,
          locale = $6, timezone = $7 WHERE id_hash = $1 AND outcome IS NULL`,
)

/** The first result stays. */
export async function recordResult(db: Queryable, idHash: Buffer, result: Result): Promise<void> {
  if (result.type === 'declined') {
    await db.rows(finish, [idHash, 'declined', null, null, null, null, null])
    return
  }
  const { owner_id, display_name, locale, timezone } = result.owner
  await db.rows(finish, [idHash, 'signed_in', owner_id, result.binding_id, display_name, locale, timezone])
}

/** Undefined while there is none. */
export function resultOf(row: SignIn): Result | undefined {
  if (row.outcome === null) return undefined
  if (row.outcome === 'declined') return { type: 'declined' }
  const { owner_id, binding_id, display_name, locale, timezone } = row
  return { type: 'signed_in', owner: { owner_id, display_name, locale, timezone }, binding_id }
}

/** By when they expired. */
export const pruneSignIns = pruneByAge('sign_ins', 'expires_at')
