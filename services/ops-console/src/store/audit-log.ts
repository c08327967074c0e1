/** Reads the audit, newest first, by operator and by action. */

import { type Cursors, toPage } from '@financial-agents/contract/cursor'
import type { Queryable } from '@financial-agents/postgres/database'
import { createQueryBuilder, rowsOf } from '@financial-agents/postgres/query-builder'
import { z } from 'zod'
import { listScope, withoutAbsent } from '../handlers/list-scope.ts'
import type { AuditAction, AuditRecord } from './audit.ts'

export type AuditQuery = { operator_id?: string; action?: string; cursor?: string }
export type AuditPage = { items: AuditRecord[]; next_cursor: string | null }

type Row = Omit<AuditRecord, 'at' | 'action' | 'operator'> & {
  action: string
  at: Date
  operator_id: string | null
  operator_name: string | null
  session_key: string | null
}

const pageSize = 50
const place = z.strictObject({ id: z.int().min(1) })
const builder = createQueryBuilder<{ audit: Row }>()

/** @throws Problem validation_failed if the cursor does not belong to this query */
export async function listAudit(db: Queryable, cursors: Cursors, query: AuditQuery): Promise<AuditPage> {
  const { operator_id, action, cursor } = query
  // PostgreSQL cannot store NUL, so no entry matches.
  if ([operator_id, action].some((text) => text?.includes('\0'))) return { items: [], next_cursor: null }
  const scope = listScope('audit', withoutAbsent({ operator_id, action }))
  const rows = await rowsOf(db, auditQuery(query, cursors.read(scope, place, cursor)?.id))
  return toPage(rows.map(toRecord), pageSize, ({ id }) => cursors.write(scope, { id }))
}

export function auditQuery({ operator_id, action }: AuditQuery, afterId: number | undefined) {
  let query = builder.selectFrom('audit').selectAll()
  if (operator_id !== undefined) query = query.where('operator_id', '=', operator_id)
  if (action !== undefined) query = query.where('action', '=', action)
  if (afterId !== undefined) query = query.where('id', '<', afterId)
  return query.orderBy('id', 'desc').limit(pageSize + 1)
}

function toRecord({ at, operator_id, operator_name, session_key: _session, ...row }: Row): AuditRecord {
  return {
    ...row,
    action: row.action as AuditAction,
    at: at.toISOString(),
    operator: operator_id === null ? null : { id: operator_id, name: operator_name },
  }
}
