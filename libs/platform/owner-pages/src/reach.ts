/** Tells which grants of an owner are active, and which of them can pay over the present connection. */

import type { Binding } from '@financial-agents/bus/messages/authority'
import type { GrantOfOwner } from './grant-of-owner.ts'

/** Null if there is no connection; undefined if it cannot be read now. */
type Connection = Binding | null | undefined

/**
 * `stopped`: the connection that a service account was set up with has ended. `not_connected`: the owner has no
 * connection now. If the connection cannot be read, the grant counts as working.
 */
export type Reach = 'works' | 'stopped' | 'not_connected'

export function reachOf(grant: GrantOfOwner, binding: Connection): Reach {
  if (hasLostConnection(grant, binding)) return 'stopped'
  return binding === null || binding?.status === 'disconnecting' ? 'not_connected' : 'works'
}

export function activeIds(grants: readonly GrantOfOwner[]): ReadonlySet<string> {
  return new Set(grants.filter(isActive).map(({ grant_id }) => grant_id))
}

/** The ids of the active grants that may pay and whose connection works. */
export function payingIds(grants: readonly GrantOfOwner[], binding: Connection): ReadonlySet<string> {
  const paying = grants.filter(
    (grant) => isActive(grant) && reachOf(grant, binding) === 'works' && grant.scopes.includes('spending:withdraw'),
  )
  return new Set(paying.map(({ grant_id }) => grant_id))
}

const isActive = (grant: GrantOfOwner) => grant.status === 'active' && grant.client_status === 'active'

/** A service account acts over one connection. If that connection has ended for certain, the account is stopped. */
function hasLostConnection({ kind, binding_id }: GrantOfOwner, binding: Connection): boolean {
  if (kind !== 'service' || binding_id === null || binding === undefined) return false
  return binding?.status !== 'connected' || binding.binding_id !== binding_id
}
