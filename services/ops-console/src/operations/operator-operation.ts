/**
 * The operators' view of an operation, member by member. It contains no payload, and only the pairwise subject of the
 * customer.
 */

import type { OperatorOperation } from '@financial-agents/contract/schemas/operator'
import { inDigits } from '@financial-agents/contract/schemas/primitives'
import type { OperationInReview } from './find-operations.ts'

export function operatorOperation(
  { row, review }: OperationInReview,
  clientNames: ReadonlyMap<string, string>,
  nowMs: number,
): OperatorOperation {
  return {
    id: row.operation_id,
    kind: row.kind,
    state: row.state,
    submission_uncertain: row.state === 'indeterminate',
    failure_code: row.failure_code,
    failure_detail: row.failure_detail,
    created_at: row.created_at,
    updated_at: row.updated_at,
    resource_id: row.resource_id,
    resource_type: row.resource_type,
    next_reconcile_at: row.next_reconcile_at,
    upstream_reference: row.upstream_reference,
    subject: row.subject,
    client: { id: row.client_id, name: clientNames.get(row.client_id) ?? row.client_id },
    grant_id: row.grant_id,
    mandate_id: row.mandate_id,
    trace_id: row.trace_id,
    payment: row.payment && inDigits({ amount: row.payment.amount, currency: row.payment.currency }),
    review: review !== undefined,
    review_reason: review?.reason ?? null,
    age_seconds: Math.max(0, Math.floor((nowMs - Date.parse(row.created_at)) / 1_000)),
  }
}
