/**
 * Owners' connections while disconnects are running. Operators declare connections again: the declarations recreate
 * connections that they ended, and end connections that are no longer declared. An owner who disconnected signs in and
 * connects again.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { Database } from '@financial-agents/postgres/database'
import { applyBindings } from '../../../services/onboarding/src/apply.ts'
import {
  credentialsContext,
  hashSignInId,
  recordResult,
  recordStarted,
} from '../../../services/onboarding/src/sign-ins-store.ts'
import { credentialSealer, credentials, owners } from './services.ts'
import type { World } from './world.ts'
import { draw } from './write.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const nowOf = ({ clock }: World) => new Date(clock.nowMs())

/**
 * Applies the declarations several times. `away`: the first owner is left out once, and her connection ends while it is
 * in use.
 */
export async function registerConnections(world: World, away: boolean): Promise<void> {
  const db = world.open('onboarding')
  const clock = { ...world.clock, now: () => nowOf(world) }
  const terms = { provider: 'fake', display_name: null, customer_reference: null, credentials }
  const declared = owners.map(({ owner_id }) => ({ owner_id, ...terms }))
  for (let left = away ? 8 : 7; left > 0 && !world.closed; left -= 1) {
    const entries = left === 8 ? declared.slice(1) : declared
    const changes = await applyBindings({ db, sealer: credentialSealer, clock }, entries).catch(() => null)
    if (changes) world.trace(null, `declared: ${changes.map(({ change }) => change).join(', ')}`)
    await pause(world.chance.between(200, 2_000))
  }
}

/**
 * Asks for a connection until there is one, as the owner does on the page. While the last connection is ending, there
 * is none.
 */
export async function connectAgain(world: World, bus: Bus, owner_id: string): Promise<void> {
  const db = world.open('onboarding')
  for (let left = 8; left > 0 && !world.closed; left -= 1) {
    const answer = await call(bus, 'int.onboarding.connect', { owner_id }, newContext(3_000)).catch(() => null)
    if (answer) world.trace(null, `${owner_id} connects: ${answer.type}`)
    if (answer?.type === 'connected') return
    if (answer?.type === 'sign_in_again') await signIn(world, db, owner_id).catch(() => null)
    await pause(world.chance.between(200, 2_000))
  }
}

/** Stores the result of a finished sign-in at the provider. */
async function signIn(world: World, db: Database, owner_id: string): Promise<void> {
  const idHash = hashSignInId(draw())
  const now = nowOf(world)
  const expiresAt = new Date(now.getTime() + 600_000)
  await recordStarted(db, { idHash, provider: 'fake', authenticationSealed: Buffer.from('asked'), now, expiresAt })
  const owner = { owner_id, display_name: null, locale: 'pt-PT', timezone: 'Europe/Lisbon' }
  const sealed = credentialSealer.seal(Buffer.from(credentials), credentialsContext(idHash))
  await recordResult(db, idHash, { type: 'signed_in', owner }, sealed)
}
