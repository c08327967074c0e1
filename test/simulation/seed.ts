/** Runs one seed from its start to its final checks. */

import type { Recorded, VirtualDatabases } from './virtual/database.ts'
import { beginClients } from './world/clients.ts'
import { watchInvariants } from './world/invariants.ts'
import { Violation } from './world/violation.ts'
import { createWorld, type World } from './world/world.ts'

export type SeedResult = {
  seed: number
  violation: Violation | null
  hash: string
  events: number
  operations: number
  /** The kinds of the accepted operations. */
  kinds: ReadonlySet<string>
}

/** Pauses after the faults: short ones, with long ones in between so that postponed work becomes due. */
const sleepsMs = [0, 0, 0, 0, 0, 0, 10_000, 20_000, 60_000, 120_000, 300_000, 900_000, 3_600_000, 3_600_000, 3_600_000]

/** Receives every statement, and the tables before the first and after the last statement. */
export type Recorder = {
  begin: (world: World) => void
  /** Makes the calls that a seed makes too rarely. */
  askTheRest: (world: World) => Promise<void>
  record: (entry: Recorded) => void
  beforeStatement: NonNullable<VirtualDatabases['beforeStatement']>
  tables: (stores: World['stores']) => void
}

/** Longer than every retention period, so that everything that is ever pruned has been pruned. */
const pastAllRetentionMs = 32 * 86_400_000

export async function runSeed(
  seed: number,
  trace: ((line: string) => void) | null = null,
  recorder: Recorder | null = null,
): Promise<SeedResult> {
  const world = createWorld(seed, {
    trace,
    record: recorder?.record ?? null,
    beforeStatement: recorder?.beforeStatement ?? null,
  })
  let violation: Violation | null = null
  const died = (error: unknown) => world.scheduler.fail(new Violation('process', `a process died: ${String(error)}`))
  process.on('unhandledRejection', died)
  try {
    const invariants = watchInvariants(world)
    recorder?.begin(world)
    world.begin()
    const lastBeginsMs = beginClients(world, invariants)
    const { scheduler } = world
    recorder?.tables(world.stores)
    await scheduler.run(lastBeginsMs + world.chance.between(1_000, 4_000))
    world.calm()
    for (const ms of sleepsMs) {
      scheduler.sleepAll(ms)
      await scheduler.run(scheduler.now() + (ms === 0 ? 2_000 : 5_000))
      violation = invariants.unmet()
      if (!violation) break
    }
    violation ??= invariants.leftPayload()
    if (recorder) {
      world.closed = true
      for (const store of Object.values(world.stores)) store.onCommit = () => {}
      Object.assign(world.watch, { onSubmission: () => {}, onExecuted: () => {} })
      // By then a database that a fault took down is up again.
      await scheduler.run(scheduler.now() + 5_000)
      void recorder.askTheRest(world).catch((error: unknown) => scheduler.fail(error))
      await scheduler.run(scheduler.now() + 5_000)
      scheduler.sleepAll(pastAllRetentionMs)
      await scheduler.run(scheduler.now() + 5_000)
      recorder.tables(world.stores)
    }
    if (violation) world.trace(null, `VIOLATION ${violation.invariant}: ${violation.message}`)
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    violation = error
  } finally {
    process.off('unhandledRejection', died)
    world.end()
  }
  const operations = [...(world.stores.operations.tables.get('operations')?.rows.values() ?? [])]
  const kinds = new Set(operations.map(({ kind }) => String(kind)))
  const { events } = world.scheduler.state
  return { seed, violation, hash: world.hash(), events, operations: operations.length, kinds }
}
