/** An approval that is still open, with what it takes to ask the provider about it. */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'

/** What is asked about: exactly the operation that will be submitted. */
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
  /** When the operation came into being. */
  created_at: Date
} & (
    | { state: 'unprepared'; approval: null; expires_at: null; poll_after_ms: null }
    /** The provider's own reference, and until when and how often it wants to be asked. */
    | { state: 'waiting'; approval: string; expires_at: Date; poll_after_ms: number }
  )

/** Who came to ask; kept in the history as the reason. */
export type AskedBy = 'prepare' | 'poll' | 'return' | 'sweep'
