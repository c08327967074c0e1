/**
 * Records the actions of owners on pages in the audit: owner, address and request, never the content of a form or a
 * cookie.
 */

import type { Clock } from '@financial-agents/runtime/clock'
import { currentContext } from '@financial-agents/runtime/context'
import type { FastifyRequest } from 'fastify'
import type { AuditEntry } from '../store/audit.ts'
import type { AuditEvent } from '../store/audit-event.ts'

export type AuditTools = { audit: (entry: AuditEntry) => Promise<void>; clock: Clock }

type About = { client_id?: string; owner_id?: string | undefined; detail?: Record<string, unknown> }

/** Resolves when the entry is committed. */
export function auditOwner(
  { audit, clock }: AuditTools,
  request: FastifyRequest,
  event: AuditEvent,
  about: About = {},
): Promise<void> {
  return audit(auditEntry(clock, request, event, about))
}

/** An entry for a transaction of the caller. */
export function auditEntry(
  clock: Clock,
  request: FastifyRequest,
  event: AuditEvent,
  { client_id, owner_id, detail = {} }: About,
): AuditEntry {
  return {
    at: clock.now(),
    event,
    client_id: client_id ?? null,
    grant_id: null,
    owner_id: owner_id ?? null,
    actor: 'owner',
    ...whoAsks(request),
    detail,
  }
}

export function whoAsks(request: FastifyRequest): { request_id: string | null; remote_address: string } {
  return { request_id: currentContext()?.requestId ?? null, remote_address: request.ip }
}
