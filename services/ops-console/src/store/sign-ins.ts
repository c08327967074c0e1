/**
 * Sign-ins between the browser's way to the identity provider and its return.
 *
 * Invariant: the content is given once, only to the browser that began the sign-in, and not after ten minutes. Out of
 * any number of requests with one state, one gets it.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { hashId } from '@financial-agents/postgres/hash-id'
import type { Sealer } from '@financial-agents/runtime/sealing'

/** `verifier` is PKCE's. `next` is the address of this origin that the operator asked for. */
export type SignIn = { nonce: string; verifier: string; next: string }

/** The values that the browser brings back. */
export type SignInKeys = { state: string; browser: string }

export const signInLifetimeMs = 600_000

const insert = statement(
  'sign_ins_insert',
  'INSERT INTO sign_ins (state_hash, browser_hash, content_sealed, expires_at) VALUES ($1, $2, $3, $4)',
)
const consume = statement(
  'sign_ins_consume',
  'DELETE FROM sign_ins WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3 RETURNING content_sealed',
)

const context = (stateHash: Buffer) => `sign_in:${stateHash.toString('base64url')}`

export async function recordSignIn(
  db: Queryable,
  sealer: Sealer,
  keys: SignInKeys,
  signIn: SignIn,
  now: Date,
): Promise<void> {
  const state = hashId(keys.state)
  const sealed = sealer.seal(Buffer.from(JSON.stringify(signIn)), context(state))
  await db.rows(insert, [state, hashId(keys.browser), sealed, new Date(now.getTime() + signInLifetimeMs)])
}

export async function consumeSignIn(
  db: Queryable,
  sealer: Sealer,
  keys: SignInKeys,
  now: Date,
): Promise<SignIn | undefined> {
  const state = hashId(keys.state)
  const [row] = await db.rows<{ content_sealed: Buffer }>(consume, [state, hashId(keys.browser), now])
  return row && (JSON.parse(sealer.open(row.content_sealed, context(state)).toString()) as SignIn)
}
