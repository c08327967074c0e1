/**
 * The write behind a disconnect, and its effect on the binding. During the draft the binding is busy and still
 * connected. From acceptance on it is ending, and with the provider's answer it is over, whatever that answer is. The
 * operation tells the outcome.
 *
 * Invariant (write protocol, rules 14 and 16): the announcement and the fence commit with the move that leaves
 * `connected`. The revoke itself passes that fence. Operations of other writes change nothing here.
 */

import { Problem } from '@financial-agents/contract/problem'
import { routeString } from '@financial-agents/contract/route'
import { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { Database, Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Move, WriteKind } from '@financial-agents/writes/write'
import { findBindingsLocked, lockBindings, type MovingBinding, moveBinding } from './binding-changes.ts'
import { findConnection } from './bindings-store.ts'

export type GrantRevoke = WriteKind<null, 'transfer_grant_revoke'>

export function createGrantRevoke(clock: Clock): GrantRevoke {
  return {
    kind: 'transfer_grant_revoke',
    route: routeString(onboardingRoutes.disconnectService),
    draft: async (tx, drafts, now) => {
      const bindings = await lockedBindingsOf(tx, drafts)
      const refused = new Map<string, Problem>()
      for (const { resource_id, operation_id } of drafts) {
        const row = bindings.get(resource_id)
        const refusal = refusalOf(row)
        if (refusal) refused.set(operation_id, refusal)
        else if (row) await moveBinding({ tx, now }, row, null, operation_id)
      }
      return refused
    },
    follow: async (tx, moves) => {
      const bindings = await lockedBindingsOf(tx, moves)
      for (const move of moves) {
        const row = bindings.get(move.resource_id)
        if (row) await followMove({ tx, now: clock.now() }, row, move)
      }
    },
  }
}

/**
 * Checks everything that would refuse an owner's disconnect now, under the same lock as its draft, but drafts nothing.
 * Returns the connection that the disconnect would end: its confirmation is bound to it.
 * @throws Problem as the disconnect itself would, except for its confirmation
 */
export async function checkDisconnect(db: Database, ownerId: string): Promise<{ binding_id: string }> {
  const connection = await findConnection(db, ownerId)
  if (connection === undefined) throw notConnected()
  const { id } = connection
  const refusal = await db.transaction(async (tx) => {
    const bindings = await lockedBindingsOf(tx, [{ resource_id: id }])
    return refusalOf(bindings.get(id))
  })
  if (refusal) throw refusal
  return { binding_id: id }
}

export function notConnected(): Problem {
  return new Problem('service_connection_not_found', { refreshOnboarding: true })
}

function refusalOf(row: MovingBinding | undefined): Problem | undefined {
  if (row === undefined || row.status === 'disconnected') return notConnected()
  // For readers of the onboarding, a connection that is ending is no longer a connection.
  if (row.status === 'disconnecting') return new Problem('resource_busy', { refreshOnboarding: true })
  return row.pending_operation_id === null ? undefined : new Problem('resource_busy')
}

async function followMove(
  changing: { tx: Queryable; now: Date },
  row: MovingBinding,
  { to, operation_id }: Move,
): Promise<void> {
  const isOwn = row.pending_operation_id === operation_id
  switch (to) {
    case 'gone':
      return
    case 'void':
      if (isOwn) await moveBinding(changing, row, null, null)
      return
    case 'accepted':
      // A draft that was considered void was accepted after all. It counts, and the draft that came after it does not.
      if (row.status === 'connected' || isOwn) await moveBinding(changing, row, 'revoke_accepted', operation_id)
      return
    default:
      if (isOwn) await moveBinding(changing, row, 'revoke_settled', null)
      else if (row.status === 'connected') await moveBinding(changing, row, 'revoke_settled', row.pending_operation_id)
  }
}

async function lockedBindingsOf(tx: Queryable, items: readonly { resource_id: string }[]) {
  await lockBindings(tx)
  return findBindingsLocked(tx, [...new Set(items.map((item) => item.resource_id))])
}
