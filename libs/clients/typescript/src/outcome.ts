/** The outcomes of waiting for an operation. Only `succeeded`, `failed` and `cancelled` are final. */

import type { ActionRequired, FailureCode, Operation } from './generated/types.ts'

/** Options of `wait`. */
export type WaitOptions = {
  /** Ends the waiting; `wait` rejects with its reason. The operation goes on. */
  signal?: AbortSignal
  /** The longest wait, in milliseconds (60,000); `Infinity` is possible. After that the outcome says how things stand. */
  timeoutMs?: number
}

/**
 * The state of an operation as a caller has to handle it. Switch over `status`: the compiler then asks for each of the six.
 *
 * `indeterminate` means that the provider may have executed the write. It is neither success nor failure: wait again later, and
 * never start the same write with a new intent.
 */
export type Outcome =
  | { readonly status: 'succeeded'; readonly operation: Operation; readonly resourceId: string }
  | {
      readonly status: 'failed'
      readonly operation: Operation
      readonly code: FailureCode | null
      readonly detail: string | null
    }
  | { readonly status: 'cancelled'; readonly operation: Operation; readonly code: FailureCode | null }
  | {
      readonly status: 'needs_owner'
      readonly operation: Operation
      /** The page that the owner must open; absent while it is being prepared. */
      readonly action: ActionRequired | undefined
    }
  | {
      readonly status: 'indeterminate'
      readonly operation: Operation
      /** The time at which the provider is asked again; null if it is not known. */
      readonly nextReconcileAt: Date | null
    }
  | { readonly status: 'still_running'; readonly operation: Operation }

/** Returns the outcome that the operation shows now. */
export function outcomeOf(operation: Operation): Outcome {
  const { state, failure_code: code, failure_detail: detail } = operation
  switch (state) {
    case 'succeeded':
      return { status: state, operation, resourceId: operation.resource_id }
    case 'failed':
      return { status: state, operation, code, detail }
    case 'cancelled':
      return { status: state, operation, code }
    case 'requires_action':
      return { status: 'needs_owner', operation, action: operation.action_required }
    case 'indeterminate': {
      const next = operation.next_reconcile_at
      return { status: state, operation, nextReconcileAt: next === null ? null : new Date(next) }
    }
    default:
      return { status: 'still_running', operation }
  }
}

/** True if the operation will not change any more. */
export function isFinal({ state }: Operation): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled'
}
