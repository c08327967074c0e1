/** The answer that shows how an operation stands. */

import type { Operation, OperationState, TrackedOperation } from '@financial-agents/client'
import { type Answer, answer, type Status } from './answer.ts'
import { project } from './project.ts'
import type { Call } from './tool.ts'

/** The states with a status of their own. All other states are `still_running`. */
const statusOf: Partial<Record<OperationState, Status>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  requires_action: 'needs_owner',
  indeterminate: 'indeterminate',
}

/** The call that reads an operation. */
export const getOperation = (id: string) => ({ tool: 'get_operation', arguments: { operation_id: id } })
const waitForOperation = (id: string) => ({ tool: 'wait_for_operation', arguments: { operation_id: id } })

/** The state of the operation, in words. */
export function operationAnswer(operation: Operation): Answer {
  const { id, state, action_required: action } = operation
  const status = statusOf[state] ?? 'still_running'
  const isFinal = status === 'succeeded' || status === 'failed' || status === 'cancelled'
  const next = status === 'needs_owner' ? getOperation(id) : waitForOperation(id)
  return answer(status, {
    next: isFinal ? null : next,
    operation: project('Operation', operation),
    ...(action && { owner_action: { kind: 'approval', url: action.url, expires_at: action.expires_at } }),
  })
}

/** Waits for the operation. If the call ends before that, the next call reads the operation. */
export async function waited(operation: TrackedOperation, call: Call, timeoutMs: number): Promise<Answer> {
  call.operationId = operation.id
  const outcome = await operation.wait({ signal: call.signal, timeoutMs })
  return operationAnswer(outcome.operation)
}
