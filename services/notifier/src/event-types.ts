/** What is told of a transition: thin, so that whoever hears of it reads the operation. */

import { type WebhookPayload, webhookPayload } from '@financial-agents/contract/schemas/webhook'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import { isSubmissionUncertain, type OperationState } from '@financial-agents/operation-machine/machine'

/** What is known of a transition, whoever told of it. */
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

export type EventType = WebhookPayload['type']

export function eventTypeOf({ state }: Pick<Moved, 'state'>): EventType {
  return `operation.${state}`
}

/** The body of a notification, as it is signed and sent at every attempt. */
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
