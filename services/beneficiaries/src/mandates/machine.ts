/**
 * The life of a mandate as one table; nothing else in the service lists a legal move. What time and use make of a state
 * (`expired`, `exhausted`) and what waits for a fence is derived from it when a mandate is read or judged, never written.
 *
 * Invariant: a suspension that is decided during or after a revocation changes nothing: `revoking`, `revoked` and
 * `revocation_failed` are left by revocations alone.
 */

import type { Mandate } from '@financial-agents/contract/schemas/mandate'

/** What the table holds. `draft` and `void` are in no read. */
export type StoredState = Exclude<Mandate['state'], 'expired' | 'exhausted'> | 'draft' | 'void'

type Row = { from: StoredState; event: string; to: StoredState }

export const mandateTransitions = [
  { from: 'draft', event: 'create_voided', to: 'void' },
  { from: 'draft', event: 'create_accepted', to: 'pending' },
  // operations' word counts, whatever was believed here.
  { from: 'void', event: 'create_accepted', to: 'pending' },
  { from: 'pending', event: 'create_succeeded', to: 'active' },
  { from: 'pending', event: 'create_failed', to: 'failed' },
  { from: 'active', event: 'suspend_accepted', to: 'suspending' },
  { from: 'suspending', event: 'suspend_succeeded', to: 'suspended' },
  { from: 'suspending', event: 'suspend_failed', to: 'active' },
  { from: 'active', event: 'revoke_accepted', to: 'revoking' },
  { from: 'suspending', event: 'revoke_accepted', to: 'revoking' },
  { from: 'suspended', event: 'revoke_accepted', to: 'revoking' },
  { from: 'revocation_failed', event: 'revoke_accepted', to: 'revoking' },
  { from: 'revoking', event: 'revoke_succeeded', to: 'revoked' },
  { from: 'revoking', event: 'revoke_failed', to: 'revocation_failed' },
] as const satisfies readonly Row[]

export type MandateEvent = (typeof mandateTransitions)[number]['event']

const table: ReadonlyMap<string, StoredState> = new Map(
  mandateTransitions.map((row) => [`${row.from}>${row.event}`, row.to]),
)

/** What `event` makes of a mandate in `state`; undefined where it changes nothing. Pure. */
export function apply(state: StoredState, event: MandateEvent): StoredState | undefined {
  return table.get(`${state}>${event}`)
}

/** The states in which nothing is submitted under a mandate: the submitter holds a fence. */
export function isFenced(state: StoredState): boolean {
  return ['suspending', 'suspended', 'revoking', 'revoked', 'revocation_failed'].includes(state)
}

export type DerivingFacts = {
  state: StoredState
  expires_at: Date
  /** No payment or no part of the total is left. */
  used_up: boolean
  /** The submitter has set, or lifted, the fence as the state wants it. */
  fence_confirmed: boolean
}

/** The state in which a mandate is seen and judged. */
export function visibleState({ state, expires_at, used_up, fence_confirmed }: DerivingFacts, now: Date) {
  if (!fence_confirmed && state === 'revoked') return 'revoking'
  if ((state === 'active' || state === 'suspended') && expires_at <= now) return 'expired'
  // What is accepted under a fence that still stands would be cancelled by it.
  if (!fence_confirmed && (state === 'active' || state === 'suspended')) return 'suspending'
  return state === 'active' && used_up ? 'exhausted' : state
}
