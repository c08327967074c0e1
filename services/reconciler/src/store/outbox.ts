/** The outbox keeps a transition until operations has committed it. A broker's acknowledgement is no confirmation. */

import type { Confirmation, OperationTransition } from '@financial-agents/bus/messages/events'
import { type Database, statement } from '@financial-agents/postgres/database'

/** The pauses between repetitions grow up to this, so that a consumer that is away for hours does not find the stream full. */
const longestPauseMs = 30_000

const take = statement(
  'outbox_take',
  `WITH due AS MATERIALIZED (
     SELECT operation_id, sequence FROM transitions WHERE NOT confirmed AND republish_at <= $1
     ORDER BY republish_at LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE transitions t SET publications = LEAST(t.publications + 1, 20),
     republish_at = $1 + LEAST($2 * 2 ^ LEAST(t.publications + 1, 20), $3) * interval '1 millisecond'
   FROM due WHERE t.operation_id = due.operation_id AND t.sequence = due.sequence
   RETURNING t.body`,
)

const confirm = statement(
  'outbox_confirm',
  `WITH locked AS (
     SELECT t.operation_id, t.sequence FROM transitions t
     JOIN unnest($1::uuid[], $2::integer[]) AS i(operation_id, sequence) USING (operation_id, sequence)
     WHERE NOT t.confirmed ORDER BY t.operation_id, t.sequence FOR NO KEY UPDATE OF t
   )
   UPDATE transitions t SET confirmed = true FROM locked
   WHERE t.operation_id = locked.operation_id AND t.sequence = locked.sequence`,
)

/** Takes transitions that are due again, in order of sequence. Each is postponed at once, so that replicas share the work. */
export async function takeUnconfirmed(
  database: Database,
  options: { now: Date; republishAfterMs: number; limit: number },
): Promise<OperationTransition[]> {
  const values = [options.now, options.republishAfterMs, longestPauseMs, options.limit]
  const rows = await database.rows<{ body: OperationTransition }>(take, values)
  return rows.map((row) => row.body).toSorted((a, b) => a.sequence - b.sequence)
}

/** Records which transitions operations has committed. */
export async function recordConfirmation(database: Database, { items }: Confirmation): Promise<void> {
  await database.rows(confirm, [items.map((item) => item.operation_id), items.map((item) => item.sequence)])
}
