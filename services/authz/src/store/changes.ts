/**
 * What the gateways must hear about, in the order of commit.
 * Invariant: sequences become visible in their order, because writers take one lock before they draw one; a reader that
 * goes on from the last sequence it saw misses nothing.
 */

import type { GrantFeedMessage } from '@financial-agents/bus/messages/authority'
import { type Queryable, statement } from '@financial-agents/postgres/database'

export type Change = NonNullable<GrantFeedMessage['change']>

const lock = statement('changes_lock', `SELECT pg_advisory_xact_lock(hashtext(current_schema() || '.changes'))`)
const insert = statement('changes_insert', 'INSERT INTO changes (change, created_at) VALUES ($1, $2)')
const last = statement('changes_last', 'SELECT coalesce(max(sequence), 0) AS sequence FROM changes')
const after = statement(
  'changes_after',
  'SELECT sequence, change FROM changes WHERE sequence > $1 ORDER BY sequence LIMIT 1000',
)

/** One writer of clients and grants at a time, until the transaction ends. */
export async function lockChanges(tx: Queryable): Promise<void> {
  await tx.rows(lock)
}

export async function recordChange(tx: Queryable, change: Change, now: Date): Promise<void> {
  await lockChanges(tx)
  await tx.rows(insert, [JSON.stringify(change), now])
}

export async function getLastSequence(db: Queryable): Promise<number> {
  const [row] = await db.rows<{ sequence: number }>(last)
  return row?.sequence ?? 0
}

export function listChangesAfter(db: Queryable, sequence: number): Promise<{ sequence: number; change: Change }[]> {
  return db.rows(after, [sequence])
}
