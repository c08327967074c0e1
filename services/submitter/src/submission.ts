/**
 * A submission row and the events derived from it. The row is the outbox: each event is rebuilt from it, identical each
 * time, until every consumer has confirmed the event.
 *
 * Invariant: `at` never falls along an operation's sequence, and equal rows give equal transitions.
 */

import type { LateAnswer, OperationTransition } from '@financial-agents/bus/messages/events'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { OperationEvent, OperationState } from '@financial-agents/operation-machine/machine'

export type SubmissionRow = {
  operation_id: string
  attempt_id: string
  kind: string
  resource_id: string
  owner_id: string
  subject: string
  client_id: string
  grant_id: string
  binding_id: string
  mandate_id: string | null
  target_reference: string | null
  traceparent: string
  state: OperationState
  /** Sequence of the state `accepted`, as operations handed it over. */
  base_sequence: number
  sequence: number
  claimed_at: Date
  lease_until: Date
  outcome_event: OperationEvent | null
  outcome_at: Date | null
  upstream_reference: string | null
  /** Facts that the provider told of the resource; null unless the operation succeeded. */
  resource: Readonly<Record<string, string>> | null
  failure_code: FailureCode | null
  failure_detail: string | null
  operations_confirmed_sequence: number
  reconciler_confirmed: boolean
  publications: number
  republish_at: Date
  late_answer: Omit<LateAnswer, 'operation_id'> | null
  late_answer_delivered: boolean
}

/** Pause before the first read of an operation that its answer left open. */
const firstReadMs = 1_000

/** True if the reconciler takes the pen: it writes the transitions from here on. */
export function isHandedOver(row: Pick<SubmissionRow, 'state'>): boolean {
  return row.state === 'submitted' || row.state === 'indeterminate'
}

/** Every transition of the row, in the order of its sequence. */
export function transitionsOf(row: SubmissionRow): OperationTransition[] {
  const claim = transition(row, 'accepted', 'claim', 'submitting', row.claimed_at)
  if (row.outcome_event === null || row.outcome_at === null) return [claim]
  const claimed = row.sequence === row.base_sequence + 2
  const from = claimed ? 'submitting' : 'accepted'
  const outcome = transition(row, from, row.outcome_event, row.state, row.outcome_at)
  return claimed ? [claim, outcome] : [outcome]
}

/** Transitions that a consumer still has to confirm. */
export function unconfirmedTransitionsOf(row: SubmissionRow): OperationTransition[] {
  const owed = isHandedOver(row) && !row.reconciler_confirmed
  return transitionsOf(row).filter(
    ({ sequence }) => sequence > row.operations_confirmed_sequence || (owed && sequence === row.sequence),
  )
}

function transition(
  row: SubmissionRow,
  from: OperationState,
  event: OperationEvent,
  to: OperationState,
  at: Date,
): OperationTransition {
  const isClaim = event === 'claim'
  const handedOver = !isClaim && isHandedOver(row)
  return {
    operation_id: row.operation_id,
    kind: row.kind as OperationKind,
    resource_id: row.resource_id,
    owner_id: row.owner_id,
    subject: row.subject,
    client_id: row.client_id,
    grant_id: row.grant_id,
    binding_id: row.binding_id,
    sequence: isClaim ? row.base_sequence + 1 : row.sequence,
    from,
    event,
    to,
    by: 'submitter',
    at: at.toISOString(),
    failure_code: isClaim ? null : row.failure_code,
    failure_detail: isClaim ? null : row.failure_detail,
    upstream_reference: isClaim ? null : row.upstream_reference,
    target_reference: row.target_reference,
    resource: isClaim ? null : row.resource,
    next_reconcile_at: handedOver ? new Date(at.getTime() + firstReadMs).toISOString() : null,
    reason: null,
    evidence: null,
    traceparent: row.traceparent,
  }
}
