/**
 * Recovers a schema that has lost something. Every mark is removed first, so that the next one of each writer is refused. Then the database records
 * the recovery point and the id of a new witness, and at last the new witness is registered. Whoever writes afterwards has joined with
 * the recovery point, and a copy of the database that lacks it knows another witness.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Conflict, type Registers } from '@financial-agents/bus/registers'
import type { Database } from '@financial-agents/postgres/database'
import { clockDifferenceMs } from './clock.ts'
import { clearLoss } from './losses.ts'
import { findKnown, recordRecovered, recordRecovery } from './store.ts'
import { type EpochEntry, epochOf, type GuardedSchema, markOf } from './subjects.ts'

const attempts = 20

type Options = { db: Database; registers: Registers; schema: GuardedSchema; now: () => Date }

/**
 * Idempotent. Returns the recovery point: operations that are older and not claimed are never sent.
 * @throws NoStream, or Unavailable
 */
export async function recover(options: Options): Promise<Date> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await recoverOnce(options)
    } catch (error) {
      // Somebody joined meanwhile.
      if (!(error instanceof Conflict) || attempt === attempts) throw error
    }
  }
}

async function recoverOnce({ db, registers, schema, now }: Options): Promise<Date> {
  const { epoch } = await findKnown(db)
  const found = await registers.read<EpochEntry>(epochOf(schema))
  await registers.clear(markOf(schema, '*'))
  const point = new Date(now().getTime() + clockDifferenceMs)
  const made = randomUUID()
  if (!(await recordRecovery(db, epoch, point, made))) throw new Conflict('the database has begun another epoch')
  // The next id is generated after the recovery point, also by a clock that is behind.
  await delay(clockDifferenceMs)
  const entry: EpochEntry = { made, epoch, writers: [], before: [] }
  await registers.write(epochOf(schema), entry, found?.sequence ?? 0)
  await recordRecovered(db, epoch, made)
  await clearLoss(registers, schema)
  return point
}
