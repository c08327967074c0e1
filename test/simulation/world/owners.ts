/**
 * Owners who lower the limits of their mandates while payments are made. An owner who gets an answer believes it: no later
 * payment may exceed the limits of the answer.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { BigNumber } from 'bignumber.js'
import type { Invariants } from './invariants.ts'
import { loweredCaps } from './mandate-invariants.ts'
import type { World } from './world.ts'

/** Repeats the act until an answer decides it, as the owner does with the form. */
export async function lowerCaps(world: World, invariants: Invariants, bus: Bus): Promise<void> {
  const { chance } = world
  const mandates = [...(world.stores.beneficiaries.tables.get('mandates')?.rows.values() ?? [])]
  if (mandates.length === 0) return
  const mandate = chance.pick(mandates)
  const most = String(chance.pick([10, 25, 40, 60, 80]))
  const per_payment_max = String(chance.pick([10, 25, 40]))
  const wanted = { per_payment_max, daily_max: most, weekly_max: most, monthly_max: most, total_cap: most }
  const capped = loweredCaps.map((cap) => [cap, BigNumber.min(wanted[cap], mandate[cap] as string).toFixed()] as const)
  const caps = Object.fromEntries(capped) as typeof wanted
  const [owner_id, mandate_id] = [String(mandate.owner_id), String(mandate.id)]
  for (let tries = chance.whole(1, 4); tries > 0; tries -= 1) {
    const request = { owner_id, mandate_id, action: 'lower', caps } as const
    try {
      await call(bus, 'int.beneficiaries.owner-action', request, newContext(1_500))
      if (world.closed) return
      world.trace(null, `answer lowered ${mandate_id}: ${JSON.stringify(caps)}`)
      const before = invariants.lowered.get(mandate_id)
      const reported = loweredCaps.map((cap) => [cap, BigNumber.min(caps[cap], before?.[cap] ?? caps[cap]).toFixed()])
      invariants.lowered.set(mandate_id, Object.fromEntries(reported) as typeof wanted)
      return
    } catch (error) {
      if (world.closed) return
      const code = error instanceof Problem ? error.code : null
      world.trace(null, `answer ${String(code)} to the lower caps of ${mandate_id}`)
      if (code === 'internal_error') invariants.violate('process', 'lower caps could not be written')
      await new Promise<void>((resolve) => setTimeout(resolve, chance.between(10, 800)))
    }
  }
}
