/** Witnesses for tests. */

import type { Bus } from '@financial-agents/bus/connect'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { makeWitness } from '../make.ts'
import type { GuardedSchema } from '../subjects.ts'
import type { Mark } from '../witness.ts'

const add = statement(
  'test_add_writer',
  `INSERT INTO witness_marks (writer, epoch, number, sequence, marked_at)
   VALUES (gen_random_uuid(), database_epoch(), 1, 0, now()) RETURNING writer`,
)

/** Adds a writer for the test, and returns a mark of its. */
export async function testMark(db: Queryable): Promise<Mark> {
  const [row] = await db.rows<{ writer: string }>(add)
  return [(row as { writer: string }).writer, 2, 0]
}

/** Makes the witness of a schema, as the provisioning job does. */
export async function makeTestWitness(db: Database, provisioner: Bus, schema: GuardedSchema): Promise<void> {
  const became = await makeWitness(db, provisioner.registers, schema)
  if (became === 'refused') throw new Error(`the witness of ${schema} is not made: an operator would have to decide`)
}
