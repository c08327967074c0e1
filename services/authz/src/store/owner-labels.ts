/**
 * The names that owners give to applications for themselves. A label is shown to its owner alone, beside the registered name
 * wherever the owner decides something.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

const record = statement(
  'owner_labels_record',
  `INSERT INTO owner_labels (owner_id, client_id, label, updated_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (owner_id, client_id) DO UPDATE SET label = $3, updated_at = $4`,
)
const remove = statement('owner_labels_remove', 'DELETE FROM owner_labels WHERE owner_id = $1 AND client_id = $2')

/** An empty label removes the one that there is. */
export async function recordLabel(
  db: Queryable,
  { owner_id, client_id, label }: { owner_id: string; client_id: string; label: string },
  now: Date,
): Promise<void> {
  if (label === '') await db.rows(remove, [owner_id, client_id])
  else await db.rows(record, [owner_id, client_id, label, now])
}
