/**
 * The status machine of a binding, as one table. Nothing else in the service lists a legal move.
 *
 * Invariant: nothing leaves `disconnected`. Connecting again makes another binding, so a fence is never lifted.
 */

export type BindingStatus = 'connected' | 'disconnecting' | 'disconnected'

export const bindingTransitions = [
  { from: null, event: 'connect', to: 'connected' },
  { from: 'connected', event: 'revoke_accepted', to: 'disconnecting' },
  // The outcome may arrive before the news of the acceptance.
  { from: 'connected', event: 'revoke_settled', to: 'disconnected' },
  { from: 'disconnecting', event: 'revoke_settled', to: 'disconnected' },
  // The file no longer declares the binding. The provider is not asked to revoke anything.
  { from: 'connected', event: 'registered_away', to: 'disconnected' },
  // The owner ended it in a time that the database lost.
  { from: 'connected', event: 'end_repeated', to: 'disconnected' },
] as const satisfies readonly { from: BindingStatus | null; event: string; to: BindingStatus }[]

export type BindingEvent = (typeof bindingTransitions)[number]['event']

/** Returns undefined if `event` moves nothing in `status`. A null status is a binding that does not exist yet. */
export function findNextStatus(status: BindingStatus | null, event: BindingEvent): BindingStatus | undefined {
  return bindingTransitions.find((row) => row.from === status && row.event === event)?.to
}
