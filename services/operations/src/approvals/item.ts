/** An open approval, with the facts that are needed to ask the provider about it. */

import type { OperationKind } from '@financial-agents/contract/kinds'

/** The operation exactly as it will be submitted. */
export type AskedOperation = {
  operation_id: string
  kind: OperationKind
  binding_id: string
  target_reference: string | null
  traceparent: string
  payload_sealed: Buffer | null
}

export type OpenApproval = AskedOperation & {
  failures: number
  /** The time at which the operation was created. */
  created_at: Date
} & (
    | { state: 'unprepared'; approval: null; expires_at: null; poll_after_ms: null }
    /** The provider's own reference, the expiry time of its page, and the poll interval that it asked for. */
    | { state: 'waiting'; approval: string; expires_at: Date; poll_after_ms: number }
  )

/** An approval whose turn the background job has taken, with what a fence may stop. */
export type DueApproval = OpenApproval & { grant_id: string; client_id: string; mandate_id: string | null }

/** The cause of a question, or `fence` if nothing is asked any more. History keeps it as the reason. */
export type AskedBy = 'prepare' | 'poll' | 'return' | 'background_job' | 'fence'
