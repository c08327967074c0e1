/** Operators declare the connections of owners anew: what has ended is made again, and what is not declared any more ends. */

import { applyBindings } from '../../../services/onboarding/src/apply.ts'
import { credentialSealer, credentials, owners } from './services.ts'
import type { World } from './world.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Until every owner is connected. `away`: the first is left out once, so that its connection ends while it is in use. */
export async function declareConnections(world: World, away: boolean): Promise<void> {
  const db = world.open('onboarding')
  const parts = { db, sealer: credentialSealer, clock: { ...world.clock, now: () => new Date(world.clock.nowMs()) } }
  const declared = owners.map(({ owner_id }) => ({
    owner_id,
    provider: 'fake',
    display_name: null,
    customer_reference: null,
    credentials,
  }))
  for (let left = away ? 8 : 7; left > 0 && !world.closed; left -= 1) {
    const changes = await applyBindings(parts, left === 8 ? declared.slice(1) : declared).catch(() => null)
    if (changes) world.trace(null, `declared: ${changes.map(({ change }) => change).join(', ')}`)
    await pause(world.chance.between(200, 2_000))
  }
}
