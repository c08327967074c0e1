/**
 * The audit: permissions that were given or ended, with time and actor. It is append-only: the table itself refuses a
 * change. It never contains a token, code or proof. A token leaves only after its row is committed.
 */

import { createBatcher } from '@financial-agents/postgres/batcher'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { noteEvents } from '../measure.ts'
import type { AuditEvent } from './audit-event.ts'

/** The actor: the client's software, the owner in a browser, an operator by command or console, or this service. */
export type Actor = 'client' | 'owner' | 'operator' | 'system'

export type AuditEntry = {
  at: Date
  event: AuditEvent
  client_id: string | null
  grant_id: string | null
  owner_id?: string | null
  actor: Actor
  request_id?: string | null
  remote_address?: string | null
  detail: Record<string, unknown>
}

const insert = statement(
  'audit_insert',
  `INSERT INTO audit (at, event, client_id, grant_id, owner_id, actor, request_id, remote_address, detail)
   SELECT at, event, client_id, grant_id, owner_id, actor, request_id, remote_address, detail
   FROM jsonb_to_recordset($1) AS entry (at timestamptz, event text, client_id text, grant_id uuid, owner_id uuid,
     actor text, request_id text, remote_address text, detail jsonb)`,
)

export async function recordAudit(db: Queryable, entries: readonly AuditEntry[]): Promise<void> {
  await db.rows(insert, [JSON.stringify(entries)])
  noteEvents(entries)
}

/** Writes entries in batches with other waiting ones. Resolves when the entry is committed. */
export function createAuditor(db: Database): (entry: AuditEntry) => Promise<void> {
  let counter = 0
  const batcher = createBatcher<{ token: string; entry: AuditEntry }, true>({
    maxItems: 64,
    // One batch at a time: the next one collects what arrives meanwhile.
    concurrency: 1,
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
