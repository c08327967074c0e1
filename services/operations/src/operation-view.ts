/**
 * The only place that builds the customer's view of an operation. The view never shows payload, history or evidence.
 */

import { isSubmissionUncertain } from '@financial-agents/contract/machine'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import type { ViewRow } from './tables.ts'

export function toOperation(row: ViewRow): Operation {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    submission_uncertain: isSubmissionUncertain(row.state),
    failure_code: row.failure_code,
    failure_detail: row.failure_detail,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    resource_id: row.resource_id,
    resource_type: row.resource_type,
    next_reconcile_at: row.next_reconcile_at?.toISOString() ?? null,
    upstream_reference: row.upstream_reference,
    ...(row.state === 'requires_action' && row.action_required ? { action_required: row.action_required } : {}),
  }
}
