/**
 * Sign-ins under way. A return is bound to the browser that started (its cookie) and to the state of that start. Both
 * are stored only as hashes. Onboarding's id of the sign-in and the next address, which names an interaction, are
 * sealed.
 *
 * Invariant: a sign-in is recorded once and consumed once, by the first replica.
 */

import { type Database, statement } from '@financial-agents/postgres/database'
import { hashId } from '@financial-agents/postgres/hash-id'
import type { Sealer } from '@financial-agents/runtime/sealing'

export type SignIn = {
  /** The id at onboarding. */
  sign_in_id: string
  /** The path of ours to which the browser goes afterwards. */
  next: string
  expires_at: Date
  owner_id: string | null
  authenticated_at: Date | null
}

/** The values that the browser brings back. */
export type SignInKeys = { state: string; browser: string }

type Content = Pick<SignIn, 'sign_in_id' | 'next'>
type Row = Omit<SignIn, 'sign_in_id' | 'next'> & { content_sealed: Buffer }

const insert = statement(
  'sign_ins_insert',
  `INSERT INTO sign_ins (state_hash, browser_hash, next_hash, content_sealed, expires_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
)
const one = statement(
  'sign_ins_one',
  `SELECT content_sealed, expires_at, owner_id, authenticated_at FROM sign_ins
   WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3 AND consumed_at IS NULL`,
)
const signedIn = statement(
  'sign_ins_signed_in',
  `UPDATE sign_ins SET owner_id = $3, authenticated_at = $4
   WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $4 AND consumed_at IS NULL AND owner_id IS NULL
   RETURNING 1`,
)
const consume = statement(
  'sign_ins_consume',
  `UPDATE sign_ins SET consumed_at = $3
   WHERE consumed_at IS NULL AND state_hash = (
     SELECT state_hash FROM sign_ins
     WHERE browser_hash = $1 AND next_hash = $2 AND expires_at > $3 AND owner_id IS NOT NULL AND consumed_at IS NULL
     ORDER BY authenticated_at DESC LIMIT 1)
   RETURNING owner_id, authenticated_at`,
)

export function createSignInStore(db: Database, sealer: Sealer) {
  const context = (stateHash: Buffer) => `sign_in:${stateHash.toString('base64url')}`
  return {
    record: async (
      keys: SignInKeys,
      signIn: Pick<SignIn, 'sign_in_id' | 'next' | 'expires_at'>,
      now: Date,
    ): Promise<void> => {
      const state = hashId(keys.state)
      const { sign_in_id, next, expires_at } = signIn
      const sealed = sealer.seal(Buffer.from(JSON.stringify({ sign_in_id, next })), context(state))
      await db.rows(insert, [state, hashId(keys.browser), hashId(next), sealed, expires_at, now])
    },
    /** Returns a sign-in of this browser that is neither expired nor consumed. */
    find: async (keys: SignInKeys, now: Date): Promise<SignIn | undefined> => {
      const state = hashId(keys.state)
      const [row] = await db.rows<Row>(one, [state, hashId(keys.browser), now])
      if (!row) return undefined
      const { content_sealed, ...rest } = row
      const content = JSON.parse(sealer.open(content_sealed, context(state)).toString()) as Content
      return { ...rest, ...content }
    },
    /** Returns true for the one caller that recorded the owner. */
    recordSignedIn: async (keys: SignInKeys, ownerId: string, now: Date): Promise<boolean> =>
      (await db.rows(signedIn, [hashId(keys.state), hashId(keys.browser), ownerId, now])).length === 1,
    /** Consumes the latest sign-in of this browser for `next`. Only one caller gets it. */
    consume: async (
      browser: string,
      next: string,
      now: Date,
    ): Promise<{ owner_id: string; authenticated_at: Date } | undefined> => {
      const values = [hashId(browser), hashId(next), now]
      const [row] = await db.rows<{ owner_id: string; authenticated_at: Date }>(consume, values)
      return row
    },
  }
}

export type SignInStore = ReturnType<typeof createSignInStore>
