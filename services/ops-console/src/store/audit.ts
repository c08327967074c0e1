/**
 * What operators looked at and did: who, when, what, under which request, with which outcome. Append-only: the table itself
 * refuses a change.
 *
 * Invariants: whoever records goes on only once the entry is committed; an entry that cannot be written is an outage. A look
 * that pages repeat by themselves is there once for each session and quarter of an hour it goes on; what was done, and what
 * was refused or failed, is there each time.
 */

import type { Operator } from '@financial-agents/bus/rpc'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { currentContext } from '@financial-agents/runtime/context'
import { counter } from '@financial-agents/runtime/metrics/metrics'
import { Unavailable } from '@financial-agents/runtime/unavailable'

const actions = counter('financial_agents.console.actions')

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

/** What pages that keep themselves fresh ask for again and again. */
const repeatedLooks: ReadonlySet<AuditAction> = new Set([
  'listOperatorOperations',
  'getOperatorOperation',
  'listOperatorGrants',
  'viewOverview',
  'viewAudit',
])

export type AuditEntry = {
  action: AuditAction
  /** null where nobody was made out. Looks of a session that is not named are all there. */
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

const columns = 'at, action, operator_id, operator_name, detail, outcome, request_id, remote_address, session_key'
const values = '$1::timestamptz, $2::text, $3::text, $4::text, $5::jsonb, $6::text, $7::text, $8::text, $9::text'

const insert = statement('audit_insert', `INSERT INTO audit (${columns}) VALUES (${values})`)

/** An equal look in the same session, of the last quarter of an hour, stands for this one. */
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

/** PostgreSQL holds no NUL, and an address may: its look is in the audit all the same. */
function jsonOf(detail: AuditEntry['detail']): string {
  return JSON.stringify(detail).replaceAll(/(?<=(?<!\\)(?:\\\\)*)\\u0000/g, '\\ufffd')
}
