/** One run: prepares the load while the system is healthy, kills on the given way, and checks the guarantees afterwards. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { operationKinds } from '@financial-agents/contract/kinds'
import { prepare as prepareWrite } from './kinds.ts'
import { areaOf, kindsOf, type Run } from './matrix.ts'
import { findBreaches } from './soundness.ts'
import { nameOf } from './steps.ts'
import { countStock, stocked, stockLeavers } from './stock.ts'
import { ways } from './ways.ts'
import { heal, type World } from './world.ts'
import type { Write } from './write.ts'

/** The number of writes of each kind: `alone` in a run of one kind, `among` in a run of several. */
const alone = 3
const among = 2

/** Creates the resources that every run needs. */
export async function prepareWorld(world: World): Promise<void> {
  await stockLeavers(world, 1)
  for (const payer of [world.amara, world.ines]) {
    await stocked(world, 'beneficiary', payer)
    if (payer === world.amara) await stocked(world, 'mandate', payer)
  }
}

/** Performs a run; returns its breaches. */
export async function perform(world: World, run: Run): Promise<string[]> {
  let failure: string[] = []
  try {
    const writes = await prepare(world, run)
    await ways[run.way]({ world, run, writes })
  } catch (error) {
    failure = [error instanceof Error ? error.message : String(error)]
  }
  await heal(world)
  return [...failure, ...(await findBreaches(world))].map((breach) => `${nameOf(run.step)}: ${breach}`)
}

async function prepare(world: World, { kinds: given, way }: Run): Promise<Write[]> {
  await countStock(world)
  const wanted = [...given, ...(given.length === 1 ? beside(world, given[0] as OperationKind, way) : [])]
  await stockLeavers(world, alone)
  const payer = way === 'ownersApproval' ? world.ines : world.amara
  const writes: Write[] = []
  // One kind after another, so that kinds which need the same resources do not all create them at once.
  for (const [at, kind] of wanted.entries()) {
    const count = given.length > 1 ? among : at === 0 ? alone : 1
    writes.push(...(await Promise.all(Array.from({ length: count }, () => prepareWrite(world, kind, payer)))))
  }
  if (way === 'reveals') world.stock.set('active card', [await stocked(world, 'active card', payer)])
  return world.random.shuffled(writes)
}

/** Adds two other kinds to the load: one of the same area, if there is one, and one of another area. */
function beside({ random }: World, kind: OperationKind, way: Run['way']): OperationKind[] {
  if (way === 'ownersApproval' || way === 'signIn' || way === 'reconnect') return []
  const own = kindsOf(areaOf(kind)).filter((other) => other !== kind)
  const others = operationKinds.filter((other) => areaOf(other) !== areaOf(kind) && areaOf(other) !== 'onboarding')
  return [...(own.length > 0 ? [random.pick(own)] : []), random.pick(others)]
}
