/**
 * Makes the witness of a schema: the first one, and a new one after JetStream lost it. Only the provisioning job does it, through the
 * newest primary. If every replica did it on its own, one at an old primary could, and would send again what the new one has sent.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { Registers } from '@financial-agents/bus/registers'
import { withDatabase } from '@financial-agents/postgres/command-database'
import type { Database } from '@financial-agents/postgres/database'
import { sqlStateOf } from '@financial-agents/postgres/errors'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { isOwn } from './join.ts'
import { findKnown, recordMade } from './store.ts'
import { type EpochEntry, epochOf, type GuardedSchema, guardedSchemas, markOf } from './subjects.ts'

/** `refused`: an operator decides, with `recover`. */
export type MadeWitness = 'as it should be' | 'made' | 'refused'

export async function makeWitness(db: Database, registers: Registers, schema: GuardedSchema): Promise<MadeWitness> {
  const known = await findKnown(db)
  const found = await registers.read<EpochEntry>(epochOf(schema))
  if (found && isOwn(known, found)) return 'as it should be'
  const isFresh = known.made === null && !found
  if (!isFresh && known.verified_epoch !== known.epoch) return 'refused'
  // Writers may still go on that an older copy of the witness does not list. Their next marks are refused.
  await registers.clear(markOf(schema, '*'))
  const made = randomUUID()
  if (!(await recordMade(db, known.epoch, made, known.made))) return 'refused'
  const entry: EpochEntry = { made, epoch: known.epoch, writers: [], before: [] }
  await registers.write(epochOf(schema), entry, found?.sequence ?? 0)
  return 'made'
}

const results: Readonly<Record<MadeWitness, string>> = {
  'as it should be': 'as it should be',
  made: 'made',
  refused:
    'not made: its database has started again since it was verified, so something may be lost. An operator decides: "recover --open"',
}

/** The schema, its tables, its functions or the role's rights on them do not exist. */
const notMigrated = new Set(['3F000', '42P01', '42883', '42501'])

function explained(error: unknown, schema: GuardedSchema): unknown {
  if (!notMigrated.has(sqlStateOf(error))) return error
  return new Unavailable(`the schema of ${schema} is not migrated: run its migrations, then this again`, {
    cause: error,
  })
}

/** Makes the witness of each schema, through the address of its database. Returns a line for each. @throws Unavailable */
export async function makeWitnesses(
  bus: Pick<Bus, 'registers'>,
  addresses: Readonly<Record<GuardedSchema, string>>,
): Promise<string[]> {
  const lines: string[] = []
  for (const schema of guardedSchemas) {
    const called = { connectionString: addresses[schema], service: schema, command: 'provision-streams' }
    const made = await withDatabase(called, (db) => makeWitness(db, bus.registers, schema)).catch((error: unknown) => {
      throw explained(error, schema)
    })
    lines.push(`witness of ${schema}: ${results[made]}`)
  }
  return lines
}
