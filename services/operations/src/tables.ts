/** Rows as PostgreSQL returns them, and the Kysely types of the only query whose shape depends on the request. */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind, ResourceType } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'
import type { Operation } from '@financial-agents/contract/schemas/operation'

/** The columns of the customer's view. */
export type ViewRow = {
  id: string
  kind: OperationKind
  state: OperationState
  failure_code: FailureCode | null
  failure_detail: string | null
  resource_type: ResourceType
  resource_id: string
  upstream_reference: string | null
  next_reconcile_at: Date | null
  action_required: Operation['action_required'] | null
  created_at: Date
  updated_at: Date
}

export const viewColumns = [
  'id',
  'kind',
  'state',
  'failure_code',
  'failure_detail',
  'resource_type',
  'resource_id',
  'upstream_reference',
  'next_reconcile_at',
  'action_required',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ViewRow)[]

export type Tables = {
  operations: ViewRow & { owner_id: string; subject: string; client_id: string }
}
