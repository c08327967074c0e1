/**
 * The states of a mandate as one table. Nothing else in the service lists a legal move. The states `expired` and
 * `exhausted`, and the states that wait for a fence, are derived when a mandate is read or validated. They are never
 * written.
 *
 * Invariants: no event makes a mandate usable again once its suspension or revocation is accepted. A suspension that
 * fails takes authority away all the same, because the fence here stops every payment, whatever the provider has
 * recorded. A suspension that settles during or after a revocation changes nothing. Only revocations leave `revoking`,
 * `revoked` and `revocation_failed`.
 */

import type { Mandate } from '@financial-agents/contract/schemas/mandate'

/** No read returns `draft` and `void`. */
export type StoredState = Exclude<Mandate['state'], 'expired' | 'exhausted'> | 'draft' | 'void'

type Row = { from: StoredState; event: string; to: StoredState }

export const mandateTransitions = [
  { from: 'draft', event: 'create_voided', to: 'void' },
  { from: 'draft', event: 'create_accepted', to: 'pending' },
  // An event from operations counts, even if the stored state is `void`.
  { from: 'void', event: 'create_accepted', to: 'pending' },
  { from: 'pending', event: 'create_succeeded', to: 'active' },
  { from: 'pending', event: 'create_failed', to: 'failed' },
  { from: 'active', event: 'suspend_accepted', to: 'suspending' },
  { from: 'suspending', event: 'suspend_succeeded', to: 'suspended' },
  { from: 'suspending', event: 'suspend_failed', to: 'suspended' },
  { from: 'active', event: 'revoke_accepted', to: 'revoking' },
  { from: 'suspending', event: 'revoke_accepted', to: 'revoking' },
  { from: 'suspended', event: 'revoke_accepted', to: 'revoking' },
  { from: 'revocation_failed', event: 'revoke_accepted', to: 'revoking' },
  // It was suspended or revoked in a time that the database lost. A pending one was created in it, too.
  { from: 'pending', event: 'end_repeated', to: 'suspended' },
  { from: 'active', event: 'end_repeated', to: 'suspended' },
  { from: 'revoking', event: 'revoke_succeeded', to: 'revoked' },
  { from: 'revoking', event: 'revoke_failed', to: 'revocation_failed' },
] as const satisfies readonly Row[]

export type MandateEvent = (typeof mandateTransitions)[number]['event']

const table: ReadonlyMap<string, StoredState> = new Map(
  mandateTransitions.map((row) => [`${row.from}>${row.event}`, row.to]),
)

/** Returns the state that `event` leads to, or undefined if the event changes nothing. Pure. */
export function apply(state: StoredState, event: MandateEvent): StoredState | undefined {
  return table.get(`${state}>${event}`)
}

/** True for the states in which nothing is submitted under a mandate, because the submitter holds a fence. */
export function isFenced(state: StoredState): boolean {
  return ['suspending', 'suspended', 'revoking', 'revoked', 'revocation_failed'].includes(state)
}

export type DerivingFacts = {
  state: StoredState
  expires_at: Date
  /** No payment or nothing of the total is left. */
  used_up: boolean
  /** The submitter has raised the fence, if the state requires one. */
  fence_confirmed: boolean
}

/** Returns the state in which a mandate is shown and validated. */
export function visibleState({ state, expires_at, used_up, fence_confirmed }: DerivingFacts, now: Date) {
  if (!fence_confirmed && state === 'revoked') return 'revoking'
  if ((state === 'active' || state === 'suspended') && expires_at <= now) return 'expired'
  if (!fence_confirmed && state === 'suspended') return 'suspending'
  return state === 'active' && used_up ? 'exhausted' : state
}
