/**
 * 500 concurrent payments against a limit of 100, by a mandate's limit or a client's limit, while the deciding services
 * are killed at random moments. The held amount never exceeds the limit, and each accepted payment holds its amount until
 * it fails. A payment that could not be sent in time fails, and another one may then take its place. So 100 payments are
 * accepted, and one more at most for each failed one.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import { tell } from './load.ts'
import { findBreaches } from './soundness.ts'
import { makeMandate, stocked } from './stock.ts'
import { ceiling, heal, type World } from './world.ts'
import { keyed, transferUnder, type Write } from './write.ts'

const concurrent = 500
const cap = 100
const kills = 6
const victims = ['beneficiaries', 'operations', 'submitter', 'spending'] as const satisfies readonly ServiceName[]

const caps = {
  per_payment_max: '1',
  daily_max: String(cap),
  weekly_max: String(cap),
  monthly_max: String(cap),
  total_cap: String(cap),
  payment_count: 10_000,
}

/** Exhausts a mandate's limit; returns the breaches. */
export async function exhaustCap(world: World, say: (line: string) => void): Promise<string[]> {
  const mandate = await makeMandate(world, world.amara, caps)
  // A mandate with nothing left is exhausted, and therefore not active.
  const refusals = ['mandate_cap_exceeded', 'mandate_not_active']
  const writes = Array.from({ length: concurrent }, () => ({ ...transferUnder(mandate, world.amara), refusals }))
  return exhaust(world, { what: `a cap of ${cap}`, writes, limit: cap, held: () => heldUnder(world, mandate) }, say)
}

/** Exhausts a client's daily limit, by withdrawals and under a mandate; returns the breaches. */
export async function exhaustCeiling(world: World, say: (line: string) => void): Promise<string[]> {
  const { bounded } = world
  const mandate = await makeMandate(world, bounded, caps)
  const beneficiary_id = await stocked(world, 'beneficiary', bounded)
  const refusals = ['grant_ceiling_exceeded', 'mandate_cap_exceeded', 'mandate_not_active']
  const body = { beneficiary_id, amount: bounded.amount, currency: bounded.currency }
  const writes = Array.from({ length: concurrent }, (_, index) => ({
    ...(index % 2
      ? transferUnder(mandate, bounded)
      : keyed('transfer', bounded, '/v1/spending-account/withdrawals', body)),
    refusals,
  }))
  const held = () => heldBy(world, beneficiary_id)
  return exhaust(world, { what: `a ceiling of ${ceiling} a day`, writes, limit: ceiling, held }, say)
}

type Limit = { what: string; writes: readonly Write[]; limit: number; held: () => Promise<number> }

async function exhaust(world: World, { what, writes, limit, held }: Limit, say: (line: string) => void) {
  let running = true
  let highest = 0
  const watch = (async () => {
    while (running) {
      highest = Math.max(highest, await held())
      await delay(20)
    }
  })()
  const telling = Promise.all(writes.map((write) => tell(world, write, { timeoutMs: 30_000 })))
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
  const failed = await failedOf(world, accepted)
  const left = await held()
  const counted = `${accepted.length} accepted, ${failed} failed`
  say(`${writes.length} payments against ${what}: ${counted}, ${executed} executed, at most ${highest} held`)
  if (accepted.length < limit || accepted.length - failed > limit) breaches.push(`${counted} under ${what}`)
  if (left !== accepted.length - failed) breaches.push(`${left} are held for ${counted}`)
  if (highest > limit || executed > limit) breaches.push(`${highest} were held and ${executed} executed under ${what}`)
  return breaches
}

/** Adds up the single reservations and does not use the stored sum. */
async function heldUnder({ database }: World, mandate: string): Promise<number> {
  const { rows } = await database.query<{ held: number }>(
    `SELECT coalesce(sum(amount), 0)::int AS held FROM beneficiaries.mandate_reservations
     WHERE mandate_id = $1 AND released_at IS NULL`,
    [mandate],
  )
  return rows[0]?.held ?? 0
}

/** Adds up the single payments. Only the bounded client pays this beneficiary. */
async function heldBy({ database }: World, beneficiary: string): Promise<number> {
  const { rows } = await database.query<{ held: number }>(
    `SELECT coalesce(sum(amount), 0)::int AS held FROM operations.transfers
     WHERE beneficiary_id = $1 AND released_at IS NULL`,
    [beneficiary],
  )
  return rows[0]?.held ?? 0
}

/** Counts the payments that ended and were not made. Each gave back what it held. */
async function failedOf({ database }: World, ids: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ failed: number }>(
    `SELECT count(*)::int AS failed FROM operations.operations
     WHERE id = ANY($1::uuid[]) AND state IN ('failed', 'cancelled')`,
    [ids],
  )
  return rows[0]?.failed ?? 0
}

async function executedUnder({ provider }: World, ids: readonly string[]): Promise<number> {
  const ours = new Set(ids)
  const entries = await provider.ledger()
  return entries.filter((entry) => ours.has(entry.client_reference) && entry.outcome.startsWith('executed')).length
}
