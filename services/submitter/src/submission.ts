/**
 * A submission row and the events derived from it. Each event is rebuilt from the row, identical each time, until every
 * consumer has confirmed the event.
 *
 * Invariant: `at` never falls along an operation's sequence, and equal rows give equal transitions.
 */

import type { LateAnswer, OperationTransition } from '@financial-agents/bus/messages/events'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { OperationEvent, OperationState } from '@financial-agents/contract/machine'

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
  /** Sequence of the state `accepted`, as operations handed it off. */
  base_sequence: number
  sequence: number
  claimed_at: Date
  lease_until: Date
  /**
   * The deadline in the provider's request. Null if this attempt sends nothing, and if another attempt, whose record is lost,
   * may have sent the operation with a deadline that nobody knows.
   */
  valid_until: Date | null
  outcome_event: OperationEvent | null
  outcome_at: Date | null
  upstream_reference: string | null
  /** Facts that the provider reported of the resource; null unless the operation succeeded. */
  resource: Readonly<Record<string, string>> | null
  failure_code: FailureCode | null
  failure_detail: string | null
  late_answer: Omit<LateAnswer, 'operation_id'> | null
  late_answer_delivered: boolean
}

const columns: { readonly [Column in keyof SubmissionRow]: true } = {
  operation_id: true,
  attempt_id: true,
  kind: true,
  resource_id: true,
  owner_id: true,
  subject: true,
  client_id: true,
  grant_id: true,
  binding_id: true,
  mandate_id: true,
  target_reference: true,
  traceparent: true,
  state: true,
  base_sequence: true,
  sequence: true,
  claimed_at: true,
  lease_until: true,
  valid_until: true,
  outcome_event: true,
  outcome_at: true,
  upstream_reference: true,
  resource: true,
  failure_code: true,
  failure_detail: true,
  late_answer: true,
  late_answer_delivered: true,
}

/**
 * The columns of a row, of the table with this alias. A statement names all that it returns: a prepared one fails once a migration adds
 * a column to what `*` stands for.
 */
export function rowColumns(alias: string): string {
  return Object.keys(columns)
    .map((column) => `${alias}.${column}`)
    .join(', ')
}

/** The confirmations of an operation's events that this process has heard. */
export type Heard = { operationsSequence: number; reconciler: boolean }

export const nothingHeard: Heard = { operationsSequence: 0, reconciler: false }

/** Pause before the first read of an operation that its answer left open. */
const firstReadMs = 1_000

/** True if the reconciler takes the pen: it writes the transitions from here on. */
export function isHandedOff(row: Pick<SubmissionRow, 'state'>): boolean {
  return row.state === 'submitted' || row.state === 'indeterminate'
}

/** True if the row has its outcome, and every consumer has confirmed it. */
export function isSettled(row: Pick<SubmissionRow, 'state' | 'sequence'>, heard: Heard): boolean {
  if (row.state === 'submitting' || heard.operationsSequence < row.sequence) return false
  return !isHandedOff(row) || heard.reconciler
}

/** Transitions that a consumer still has to confirm, in the order of their sequence. */
export function unconfirmedTransitionsOf(row: SubmissionRow, heard: Heard): OperationTransition[] {
  const owed = isHandedOff(row) && !heard.reconciler
  const isOwed = (sequence: number) => sequence > heard.operationsSequence || (owed && sequence === row.sequence)
  const { outcome_event, outcome_at } = row
  const transitions: OperationTransition[] = []
  if (outcome_event === null || outcome_at === null) {
    if (isOwed(row.sequence)) transitions.push({ ...claimOf(row), ...factsOf(row) })
    return transitions
  }
  const claimed = row.sequence === row.base_sequence + 2
  if (claimed && isOwed(row.base_sequence + 1)) transitions.push(claimOf(row))
  if (isOwed(row.sequence))
    transitions.push(outcomeOf(row, claimed ? 'submitting' : 'accepted', outcome_event, outcome_at))
  return transitions
}

/** The claim without the facts that the transition after it carries. */
function claimOf(row: SubmissionRow): OperationTransition {
  return {
    operation_id: row.operation_id,
    kind: row.kind as OperationKind,
    owner_id: row.owner_id,
    client_id: row.client_id,
    sequence: row.base_sequence + 1,
    from: 'accepted',
    event: 'claim',
    to: 'submitting',
    by: 'submitter',
    at: row.claimed_at.toISOString(),
    next_reconcile_at: null,
  }
}

function outcomeOf(row: SubmissionRow, from: OperationState, event: OperationEvent, at: Date): OperationTransition {
  return {
    ...claimOf(row),
    ...factsOf(row),
    sequence: row.sequence,
    from,
    event,
    to: row.state,
    at: at.toISOString(),
    next_reconcile_at: isHandedOff(row) ? new Date(at.getTime() + firstReadMs).toISOString() : null,
    ...(isHandedOff(row) && row.valid_until !== null && { valid_until: row.valid_until.toISOString() }),
    ...(row.failure_code !== null && { failure_code: row.failure_code }),
    ...(row.failure_detail !== null && { failure_detail: row.failure_detail }),
    ...(row.upstream_reference !== null && { upstream_reference: row.upstream_reference }),
    ...(row.resource !== null && { resource: row.resource }),
  }
}

/** The facts that do not change with the state. */
function factsOf(row: SubmissionRow) {
  return {
    resource_id: row.resource_id,
    subject: row.subject,
    grant_id: row.grant_id,
    binding_id: row.binding_id,
    traceparent: row.traceparent,
    ...(row.target_reference !== null && { target_reference: row.target_reference }),
  }
}
