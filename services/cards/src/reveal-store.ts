/** The requests to see a card number: owner, client, card and the page's expiry, never the address of the page. */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'

export type RevealSession = { id: string; card_id: string; owner_id: string; client_id: string }

const insert = statement(
  'reveal_sessions_insert',
  'INSERT INTO reveal_sessions (id, card_id, owner_id, client_id, created_at) VALUES ($1, $2, $3, $4, $5)',
)

export async function recordReveal(db: Queryable, session: RevealSession, now: Date): Promise<void> {
  await db.rows(insert, [session.id, session.card_id, session.owner_id, session.client_id, now])
}

export const openReveal = statement('reveal_sessions_open', 'UPDATE reveal_sessions SET expires_at = $2 WHERE id = $1')

export async function recordRevealOpened(db: Queryable, id: string, expiresAt: Date): Promise<void> {
  await db.rows(openReveal, [id, expiresAt])
}

export const pruneReveals = pruneByAge('reveal_sessions', 'created_at')
