/** Reads the audit of a grant, which the service itself only writes. */

import { type Database, statement } from '@financial-agents/postgres/database'
import type { Actor } from './audit.ts'
import type { AuditEvent } from './audit-event.ts'

export type AuditLine = { at: Date; event: AuditEvent; actor: Actor; detail: Record<string, unknown> }

const ofGrant = statement(
  'test_audit_of_grant',
  'SELECT at, event, actor, detail FROM audit WHERE grant_id = $1 ORDER BY at DESC, id DESC',
)

/** Returns the latest entry first. */
export function readAuditOfGrant(db: Database, grantId: string): Promise<AuditLine[]> {
  return db.rows<AuditLine>(ofGrant, [grantId])
}

const ofOwner = statement(
  'test_audit_of_owner',
  'SELECT at, event, actor, detail FROM audit WHERE owner_id = $1 ORDER BY at DESC, id DESC',
)

/** Returns the entries of an owner, the latest first. */
export function readAuditOfOwner(db: Database, ownerId: string): Promise<AuditLine[]> {
  return db.rows<AuditLine>(ofOwner, [ownerId])
}
