/**
 * The operation state machine as one table. The types, the guard, the database's check of legal transitions and the
 * diagram all derive from `transitions`. Nothing else in the repository lists a legal move.
 *
 * Invariant: a terminal state never stands in the `from` column, so nothing leaves it. In particular, no time-out does.
 */

export const operationStates = [
  'requires_action',
  'accepted',
  'submitting',
  'submitted',
  'succeeded',
  'failed',
  'indeterminate',
  'cancelled',
] as const

export type OperationState = (typeof operationStates)[number]

export const terminalStates = ['succeeded', 'failed', 'cancelled'] as const satisfies readonly OperationState[]

export type TerminalState = (typeof terminalStates)[number]

/** The services that may move operations. Only one of them holds the pen at a time (write protocol, rule 6). */
export const movers = ['operations', 'submitter', 'reconciler'] as const

export type Mover = (typeof movers)[number]

type Row = {
  /** The state before the move; null if the event creates the operation. */
  from: OperationState | null
  event: string
  to: OperationState
  by: Mover
  /** `contract` if the contract's table has this transition; `decision` if the contract is silent and we decided. */
  basis: 'contract' | 'decision'
}

/** Every legal transition, with who may make it. */
export const transitions = [
  { from: null, event: 'accept', to: 'accepted', by: 'operations', basis: 'decision' },
  { from: null, event: 'accept_for_approval', to: 'requires_action', by: 'operations', basis: 'decision' },
  { from: 'requires_action', event: 'approval_granted', to: 'accepted', by: 'operations', basis: 'decision' },
  { from: 'requires_action', event: 'approval_declined', to: 'cancelled', by: 'operations', basis: 'decision' },
  { from: 'requires_action', event: 'approval_expired', to: 'cancelled', by: 'operations', basis: 'decision' },
  { from: 'requires_action', event: 'approval_failed', to: 'failed', by: 'operations', basis: 'decision' },
  { from: 'accepted', event: 'claim', to: 'submitting', by: 'submitter', basis: 'contract' },
  { from: 'accepted', event: 'fail_before_submission', to: 'failed', by: 'submitter', basis: 'contract' },
  { from: 'accepted', event: 'cancel_before_submission', to: 'cancelled', by: 'submitter', basis: 'contract' },
  { from: 'submitting', event: 'provider_accepted', to: 'submitted', by: 'submitter', basis: 'contract' },
  { from: 'submitting', event: 'provider_completed', to: 'succeeded', by: 'submitter', basis: 'contract' },
  { from: 'submitting', event: 'provider_refused', to: 'failed', by: 'submitter', basis: 'contract' },
  { from: 'submitting', event: 'outcome_unknown', to: 'indeterminate', by: 'submitter', basis: 'contract' },
  { from: 'submitting', event: 'lease_expired', to: 'indeterminate', by: 'submitter', basis: 'decision' },
  { from: 'submitted', event: 'settled', to: 'succeeded', by: 'reconciler', basis: 'contract' },
  { from: 'submitted', event: 'settlement_failed', to: 'failed', by: 'reconciler', basis: 'contract' },
  { from: 'submitted', event: 'result_unclear', to: 'indeterminate', by: 'reconciler', basis: 'contract' },
  { from: 'indeterminate', event: 'proved_submitted', to: 'submitted', by: 'reconciler', basis: 'contract' },
  { from: 'indeterminate', event: 'proved_succeeded', to: 'succeeded', by: 'reconciler', basis: 'contract' },
  { from: 'indeterminate', event: 'proved_failed', to: 'failed', by: 'reconciler', basis: 'contract' },
] as const satisfies readonly Row[]

export type OperationEvent = (typeof transitions)[number]['event']

export const operationEvents: readonly OperationEvent[] = [...new Set(transitions.map((row) => row.event))]

/** The result of an event: the new state and the service that makes the move, or a refusal. */
export type Applied = { ok: true; to: OperationState; by: Mover } | { ok: false; reason: 'illegal_transition' }

const table: ReadonlyMap<string, Applied> = new Map(
  transitions.map((row) => [`${row.from}>${row.event}`, { ok: true, to: row.to, by: row.by }]),
)

/**
 * Returns the result of `event` for an operation in `state` (null: the operation does not exist yet). Pure: an illegal
 * pair is a named outcome, not an error. Source: contract, "Operation state machine"; decisions §6.
 */
export function apply(state: OperationState | null, event: OperationEvent): Applied {
  return table.get(`${state}>${event}`) ?? { ok: false, reason: 'illegal_transition' }
}

const terminal: ReadonlySet<string> = new Set(terminalStates)

/** True for the terminal states: `succeeded`, `failed` and `cancelled`. */
export function isTerminal(state: OperationState): state is TerminalState {
  return terminal.has(state)
}

/** True only for `indeterminate`: the provider may have accepted the mutation, and no read has proved it. */
export function isSubmissionUncertain(state: OperationState): boolean {
  return state === 'indeterminate'
}

/** True until the first outcome. The sealed payload exists in these states only (write protocol, rule 17). */
export function holdsPayload(state: OperationState): boolean {
  return state === 'requires_action' || state === 'accepted' || state === 'submitting'
}
