/**
 * Changes that the gateways must know, in the order of commit.
 *
 * Invariant: sequences become visible in their order, because writers take one lock before they draw a sequence. A
 * reader that continues from the last sequence it saw misses nothing.
 */

import type { GrantFeedMessage } from '@financial-agents/bus/messages/authority'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'

export type Change = NonNullable<GrantFeedMessage['change']>

const lock = statement('changes_lock', `SELECT pg_advisory_xact_lock(hashtext(current_schema() || '.changes'))`)
const insert = statement('changes_insert', 'INSERT INTO changes (change, created_at) VALUES ($1, $2)')
const last = statement('changes_last', 'SELECT coalesce(max(sequence), 0) AS sequence FROM changes')
const after = statement(
  'changes_after',
  'SELECT sequence, change FROM changes WHERE sequence > $1 ORDER BY sequence LIMIT 1000',
)

const turns = new WeakMap<Database, Promise<unknown>>()

/**
 * Runs a transaction of the one writer of clients and grants. Writers of one process wait for their turn without a
 * connection, so the other connections stay free for readers.
 */
export function changeInTurn<Result>(db: Database, work: (tx: Queryable) => Promise<Result>): Promise<Result> {
  const before = turns.get(db) ?? Promise.resolve()
  const mine = before.then(() =>
    db.transaction(async (tx) => {
      await tx.rows(lock)
      return work(tx)
    }),
  )
  turns.set(
    db,
    mine.catch(() => {}),
  )
  return mine
}

/** Call it within `changeInTurn`. */
export async function recordChange(tx: Queryable, change: Change, now: Date): Promise<void> {
  await tx.rows(insert, [JSON.stringify(change), now])
}

export async function getLastSequence(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ sequence: number }>(last)
  return row?.sequence ?? 0
}

export function listChangesAfter(db: Queryable, sequence: number): Promise<{ sequence: number; change: Change }[]> {
  return db.rows(after, [sequence])
}
