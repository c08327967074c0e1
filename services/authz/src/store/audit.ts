/**
 * Who was given what, and when. Append-only: the table itself refuses a change. A token is never in it; a token leaves
 * only once its row is committed.
 */

import { createBatcher } from '@financial-agents/postgres/batcher'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'

export type AuditEntry = {
  at: Date
  event:
    | 'token_issued'
    | 'client_registered'
    | 'client_changed'
    | 'client_suspended'
    | 'client_reactivated'
    | 'grant_created'
    | 'grant_revoked'
  client_id: string
  grant_id: string | null
  detail: Record<string, unknown>
}

const insert = statement(
  'audit_insert',
  `INSERT INTO audit (at, event, client_id, grant_id, detail)
   SELECT at, event, client_id, grant_id, detail
   FROM jsonb_to_recordset($1) AS entry (at timestamptz, event text, client_id text, grant_id uuid, detail jsonb)`,
)

export async function recordAudit(db: Queryable, entries: readonly AuditEntry[]): Promise<void> {
  await db.rows(insert, [JSON.stringify(entries)])
}

/** Writes entries together with whatever else is waiting; resolves when the entry is committed. */
export function createAuditor(db: Database): (entry: AuditEntry) => Promise<void> {
  let counter = 0
  const batcher = createBatcher<{ token: string; entry: AuditEntry }, true>({
    maxItems: 64,
    concurrency: 2,
    target: (item) => item.token,
    run: async (items) => {
      await recordAudit(
        db,
        items.map((item) => item.entry),
      )
      return new Map(items.map((item) => [item.token, true]))
    },
  })
  return async (entry) => {
    counter += 1
    await batcher.submit({ token: String(counter), entry })
  }
}
