/**
 * 500 transfers at once under a mandate that allows 100 of them, while the services that decide are killed at random
 * moments: exactly what fits is accepted, everybody else is told so, and at no time is more held than the cap.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import { tell } from './load.ts'
import { findBreaches } from './soundness.ts'
import { makeMandate } from './stock.ts'
import { heal, type World } from './world.ts'
import { transferUnder } from './write.ts'

const concurrent = 500
const cap = 100
const kills = 6
const victims = ['beneficiaries', 'operations', 'submitter'] as const satisfies readonly ServiceName[]

const caps = {
  per_payment_max: '1',
  daily_max: String(cap),
  weekly_max: String(cap),
  monthly_max: String(cap),
  total_cap: String(cap),
  payment_count: 10_000,
}

/** The breaches. */
export async function exhaustCap(world: World, say: (line: string) => void): Promise<string[]> {
  const mandate = await makeMandate(world, world.amara, caps)
  let running = true
  let highest = 0
  const watch = (async () => {
    while (running) {
      highest = Math.max(highest, await heldUnder(world, mandate))
      await delay(20)
    }
  })()
  const telling = Promise.all(
    Array.from({ length: concurrent }, () => {
      // Once nothing is left the mandate is exhausted, and as such not active.
      const refusals = ['mandate_cap_exceeded', 'mandate_not_active']
      const write = { ...transferUnder(mandate, world.amara), refusals }
      return tell(world, write, { timeoutMs: 8_000 })
    }),
  )
  telling.catch(() => {})
  const breaches: string[] = []
  let accepted: string[] = []
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await delay(50 + world.random.below(250))
      const victim = victims[kill % victims.length] as ServiceName
      await world.stack.kill(victim)
      world.kills += 1
      await delay(world.random.below(200))
      await world.stack.start(victim)
    }
    accepted = (await telling).filter((id) => id !== undefined)
  } catch (error) {
    breaches.push(error instanceof Error ? error.message : String(error))
  } finally {
    running = false
    await watch
  }
  await heal(world)
  breaches.push(...(await findBreaches(world)))
  const executed = await executedUnder(world, accepted)
  const held = await heldUnder(world, mandate)
  say(
    `${concurrent} transfers against a cap of ${cap}: ${accepted.length} accepted, ${executed} executed, at most ${highest} held`,
  )
  if (accepted.length !== cap) breaches.push(`${accepted.length} were accepted under a cap of ${cap}`)
  if (held !== accepted.length) breaches.push(`${held} are held for ${accepted.length} accepted`)
  if (highest > cap || executed > cap)
    breaches.push(`${highest} were held and ${executed} executed under a cap of ${cap}`)
  return breaches
}

/** By the reservations one by one, not by the sum that is kept of them. */
async function heldUnder({ database }: World, mandate: string): Promise<number> {
  const { rows } = await database.query<{ held: number }>(
    `SELECT coalesce(sum(amount), 0)::int AS held FROM beneficiaries.mandate_reservations
     WHERE mandate_id = $1 AND released_at IS NULL`,
    [mandate],
  )
  return rows[0]?.held ?? 0
}

async function executedUnder({ provider }: World, ids: readonly string[]): Promise<number> {
  const ours = new Set(ids)
  const entries = await provider.ledger()
  return entries.filter((entry) => ours.has(entry.client_reference) && entry.outcome.startsWith('executed')).length
}
