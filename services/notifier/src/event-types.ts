/** The contents of a notification. It is thin, so that receivers read the operation itself. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { isSubmissionUncertain, type OperationState } from '@financial-agents/contract/machine'
import { type WebhookPayload, webhookPayload } from '@financial-agents/contract/schemas/webhook'

/** The known facts of a transition, from any source. */
export type Moved = {
  operation_id: string
  owner_id: string
  client_id: string
  kind: OperationKind
  sequence: number
  state: OperationState
  /** RFC 3339. */
  at: string
}

/** False for a creation in `accepted`: the client has it in the answer to its write. */
export function isReported({ state, sequence }: Pick<Moved, 'state' | 'sequence'>): boolean {
  return sequence > 1 || state === 'requires_action'
}

export type EventType = WebhookPayload['type']

export function eventTypeOf({ state }: Pick<Moved, 'state'>): EventType {
  return `operation.${state}`
}

/** The body of a notification. Every attempt signs and sends the same body. */
export function bodyOf(moved: Moved): string {
  const payload = webhookPayload.parse({
    type: eventTypeOf(moved),
    timestamp: new Date(moved.at).toISOString(),
    data: {
      operation_id: moved.operation_id,
      kind: moved.kind,
      state: moved.state,
      submission_uncertain: isSubmissionUncertain(moved.state),
    },
  })
  return JSON.stringify(payload)
}
