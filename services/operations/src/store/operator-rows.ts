/**
 * An operation as operators see it: the customer's view, with its client and the subject the client knows. Neither
 * owner nor payload is read.
 */

import type { OperatorOperationRow } from '@financial-agents/bus/messages/operator'
import type { ViewRow } from '../tables.ts'

export type OperatorRow = Omit<ViewRow, 'action_required'> & {
  subject: string
  client_id: string
  grant_id: string
  mandate_id: string | null
  traceparent: string
  /** The amount, if the operation is a payment. */
  amount?: string | null
  currency?: string | null
  beneficiary_id?: string | null
}

export const operatorColumns = [
  'id',
  'kind',
  'state',
  'subject',
  'client_id',
  'grant_id',
  'mandate_id',
  'traceparent',
  'failure_code',
  'failure_detail',
  'resource_id',
  'resource_type',
  'upstream_reference',
  'next_reconcile_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof OperatorRow)[]

export function toOperatorOperation(row: OperatorRow): OperatorOperationRow {
  return {
    operation_id: row.id,
    kind: row.kind,
    state: row.state,
    subject: row.subject,
    client_id: row.client_id,
    grant_id: row.grant_id,
    mandate_id: row.mandate_id,
    trace_id: /^00-([0-9a-f]{32})-/.exec(row.traceparent)?.[1] ?? null,
    payment:
      row.amount && row.currency && row.beneficiary_id
        ? { amount: row.amount, currency: row.currency, beneficiary_id: row.beneficiary_id }
        : null,
    failure_code: row.failure_code,
    failure_detail: row.failure_detail,
    resource_id: row.resource_id,
    resource_type: row.resource_type,
    upstream_reference: row.upstream_reference,
    next_reconcile_at: row.next_reconcile_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
