/**
 * Connects an owner: the only act that makes a binding from a sign-in. `mayConnect` validates first, so that a page can
 * show the result. `connectOwner` validates again under its locks.
 *
 * Invariant: a binding is made only from a sign-in that began after the owner's last connection ended, and each sign-in
 * makes at most one. Locks are taken in the order that all code uses: bindings (against `apply-bindings`), the sign-in,
 * the binding.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { ConnectAnswer, MayConnectAnswer } from '@financial-agents/bus/messages/sign-in'
import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { connectBinding, lockBindings } from './binding-changes.ts'
import { findConnection } from './bindings-store.ts'
import { findLeftBehind } from './left-behind.ts'
import { providerName } from './provider-names.ts'
import { findLivingLocked } from './sign-in-customer.ts'
import {
  credentialsContext,
  dropWaitingCredentials,
  findWaitingSignIn,
  findWaitingSignInLocked,
} from './sign-ins-store.ts'

export type ConnectDependencies = { db: Database; bus: Bus; clock: Clock; log: Log; sealer: Sealer }

export async function mayConnect(
  dependencies: ConnectDependencies,
  ownerId: string,
  context: MessageContext,
): Promise<MayConnectAnswer> {
  if (!isUuid(ownerId)) return { type: 'sign_in_again' }
  const connection = await findConnection(dependencies.db, ownerId)
  if (connection?.status === 'connected') return { type: 'connected' }
  if (connection && !(await findLeftBehind(dependencies, ownerId, context)).has(connection.id))
    return { type: 'ending' }
  const signIn = await findWaitingSignIn(dependencies.db, ownerId, dependencies.clock.now())
  if (!signIn) return { type: 'sign_in_again' }
  return { type: 'ready', provider_name: providerName({ provider: signIn.provider, display_name: null }) }
}

export async function connectOwner(
  dependencies: ConnectDependencies,
  ownerId: string,
  context: MessageContext,
): Promise<ConnectAnswer> {
  const { db, sealer, clock } = dependencies
  if (!isUuid(ownerId)) return { type: 'sign_in_again' }
  const leftBehind = await findLeftBehind(dependencies, ownerId, context)
  const answer = await db.transaction(async (tx): Promise<ConnectAnswer> => {
    await lockBindings(tx)
    const now = clock.now()
    const signIn = await findWaitingSignInLocked(tx, ownerId, now)
    const living = await findLivingLocked(tx, ownerId)
    if (living?.status === 'connected') return { type: 'connected' }
    if (living && !leftBehind.has(living.id)) return { type: 'ending' }
    if (!signIn) return { type: 'sign_in_again' }
    const credentials = sealer.open(signIn.credentials_sealed, credentialsContext(signIn.id_hash)).toString()
    await connectBinding(
      { tx, sealer, now },
      { owner_id: ownerId, provider: signIn.provider, display_name: null, source: 'sign_in', credentials },
    )
    await dropWaitingCredentials(tx, ownerId)
    failpoint('connect.before_commit')
    return { type: 'connected' }
  })
  failpoint('connect.after_commit')
  return answer
}
