/**
 * The audit of operators' looks and actions: operator, time, action, request and outcome. It is append-only: the table
 * itself refuses a change.
 *
 * Invariants: the caller continues only after the entry is committed, and an entry that cannot be written is an outage.
 * A look that a page repeats by itself is recorded once for each session and quarter of an hour. Every action, refusal
 * and failure is recorded each time.
 */

import type { Operator } from '@financial-agents/bus/rpc'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { currentContext } from '@financial-agents/runtime/context'
import { counter } from '@financial-agents/runtime/metrics/metrics'
import { Unavailable } from '@financial-agents/runtime/unavailable'

const actions = counter('financial_agents.console.actions')

/** The names of routes, of looks without a call of the API, and of the start and end of a session. */
export const auditActions = [
  'listOperatorOperations',
  'getOperatorOperation',
  'listOperatorGrants',
  'suspendOperatorGrant',
  'signIn',
  'signOut',
  'viewOverview',
  'viewProvider',
  'viewWrites',
  'viewSuspension',
  'viewClientSuspension',
  'suspendClient',
  'viewAudit',
  'exportOperations',
  'exportGrants',
  'refusedPage',
] as const

export type AuditAction = (typeof auditActions)[number]

/** Looks that pages repeat by themselves. */
const repeatedLooks: ReadonlySet<AuditAction> = new Set([
  'listOperatorOperations',
  'getOperatorOperation',
  'listOperatorGrants',
  'viewOverview',
  'viewProvider',
  'viewWrites',
  'viewAudit',
])

export type AuditEntry = {
  action: AuditAction
  /** null if the operator is not known. An operator without a `session` has every look recorded. */
  operator: Operator | null
  /** Filters and ids, never the content of a form, a cookie or a token. */
  detail: Readonly<Record<string, unknown>>
  /** A word: `answered`, `attempted`, `signed_in`, or the code of a problem. */
  outcome: string
  /** The browser's address, if a browser made the request. */
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

/** @throws Unavailable if the entry could not be committed */
export type RecordAudit = (entry: AuditEntry) => Promise<void>

const columns = 'at, action, operator_id, operator_name, detail, outcome, request_id, remote_address, session_key'
const values = '$1::timestamptz, $2::text, $3::text, $4::text, $5::jsonb, $6::text, $7::text, $8::text, $9::text'

const insert = statement('audit_insert', `INSERT INTO audit (${columns}) VALUES (${values})`)

/** Inserts nothing if an equal look of the same session was recorded within the last quarter of an hour. */
export const insertLook = statement(
  'audit_insert_look',
  `INSERT INTO audit (${columns}) SELECT ${values}
   WHERE NOT EXISTS (SELECT 1 FROM audit
     WHERE session_key = $9::text AND operator_id = $3::text AND action = $2::text AND outcome = 'answered'
       AND hashtextextended(detail::text, 0) = hashtextextended($5::jsonb::text, 0) AND detail = $5::jsonb
       AND at > $1::timestamptz - interval '15 minutes' AND at <= $1::timestamptz
       AND remote_address IS NOT DISTINCT FROM $8::text)`,
)

export function createAudit(db: Queryable, clock: Clock): RecordAudit {
  return async ({ action, operator, detail, outcome, remoteAddress }) => {
    const requestId = currentContext()?.requestId ?? 'unknown-request'
    const who = [operator?.id ?? null, operator?.name ?? null].map((text) => text?.replaceAll('\0', '\ufffd') ?? null)
    const entry = [
      clock.now(),
      action,
      ...who,
      jsonOf(detail),
      outcome,
      requestId,
      remoteAddress ?? null,
      operator?.session ?? null,
    ]
    try {
      await db.rows(outcome === 'answered' && repeatedLooks.has(action) ? insertLook : insert, entry)
      actions.add({ action })
    } catch (cause) {
      throw new Unavailable('the audit could not be written', { cause })
    }
  }
}

/** Replaces NUL, which an address may contain and PostgreSQL cannot store, so that the look is still recorded. */
function jsonOf(detail: AuditEntry['detail']): string {
  return JSON.stringify(detail).replaceAll(/(?<=(?<!\\)(?:\\\\)*)\\u0000/g, '\\ufffd')
}
