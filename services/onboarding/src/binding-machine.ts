/**
 * What a binding goes through, as one table. Nothing else in the service lists a legal move.
 *
 * Invariant: nothing leaves `disconnected`. Connecting again makes another binding, so that a fence is never lifted.
 */

export type BindingStatus = 'connected' | 'disconnecting' | 'disconnected'

export const bindingTransitions = [
  { from: null, event: 'connect', to: 'connected' },
  { from: 'connected', event: 'revoke_accepted', to: 'disconnecting' },
  // Its outcome may be the first that is heard of an acceptance.
  { from: 'connected', event: 'revoke_settled', to: 'disconnected' },
  { from: 'disconnecting', event: 'revoke_settled', to: 'disconnected' },
  // No longer in the file of declared bindings: nobody asked the provider to revoke anything.
  { from: 'connected', event: 'declared_away', to: 'disconnected' },
] as const satisfies readonly { from: BindingStatus | null; event: string; to: BindingStatus }[]

export type BindingEvent = (typeof bindingTransitions)[number]['event']

/** Undefined where `event` moves nothing in `status` (null: not yet in being). */
export function findNextStatus(status: BindingStatus | null, event: BindingEvent): BindingStatus | undefined {
  return bindingTransitions.find((row) => row.from === status && row.event === event)?.to
}
