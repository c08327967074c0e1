/**
 * What operators looked at and did: who, when, what, under which request, with which outcome. Append-only: the table itself
 * refuses a change.
 *
 * Invariant: whoever records goes on only once the entry is committed; an entry that cannot be written is an outage.
 */

import type { Operator } from '@financial-agents/bus/rpc'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { currentContext } from '@financial-agents/runtime/context'
import { Unavailable } from '@financial-agents/runtime/unavailable'

/** Routes by their name, looks that are no call of the API, and the session's own ends. */
export const auditActions = [
  'listOperatorOperations',
  'getOperatorOperation',
  'listOperatorGrants',
  'suspendOperatorGrant',
  'signIn',
  'signOut',
  'viewOverview',
  'viewSuspension',
  'viewAudit',
  'refusedPage',
] as const

export type AuditAction = (typeof auditActions)[number]

export type AuditEntry = {
  action: AuditAction
  /** null where nobody was made out. */
  operator: Operator | null
  /** Filters and ids; never what a form, a cookie or a token held. */
  detail: Readonly<Record<string, unknown>>
  /** A word: `answered`, `attempted`, `refused`, the code of a problem. */
  outcome: string
  /** The browser's address, where a browser asked. */
  remoteAddress?: string
}

export type AuditRecord = {
  id: number
  at: string
  action: AuditAction
  operator: Operator | null
  detail: Record<string, unknown>
  outcome: string
  request_id: string
  remote_address: string | null
}

/** @throws Unavailable where the entry could not be committed */
export type RecordAudit = (entry: AuditEntry) => Promise<void>

const insert = statement(
  'audit_insert',
  `INSERT INTO audit (at, action, operator_id, operator_name, detail, outcome, request_id, remote_address)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export function createAudit(db: Queryable, clock: Clock): RecordAudit {
  return async ({ action, operator, detail, outcome, remoteAddress }) => {
    const requestId = currentContext()?.requestId ?? 'unknown-request'
    const who = [operator?.id ?? null, operator?.name ?? null]
    const values = [clock.now(), action, ...who, JSON.stringify(detail), outcome, requestId, remoteAddress ?? null]
    try {
      await db.rows(insert, values)
    } catch (cause) {
      throw new Unavailable('the audit could not be written', { cause })
    }
  }
}
