/** Witnesses for tests. */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { makeWitness } from '../make.ts'
import type { GuardedSchema } from '../subjects.ts'
import type { Mark, Witness } from '../witness.ts'

const add = statement(
  'test_add_writer',
  `INSERT INTO witness_marks (writer, epoch, number, sequence, marked_at)
   VALUES ($1, database_epoch(), 1, 0, now())`,
)

/** Adds a writer for the test, and returns a mark of its. */
export async function testMark(db: Queryable): Promise<Mark> {
  const writer = randomUUID()
  await db.rows(add, [writer])
  return [writer, 2, 0]
}

/** A witness that only counts: nothing has to prove the database. */
export function countingWitness(db: Queryable): Pick<Witness, 'record'> {
  return {
    record: async (commit) => {
      const mark = await testMark(db)
      return { result: await commit(() => mark, undefined), witnessed: true }
    },
  }
}

/** Makes the witness of a schema, as the provisioning job does. */
export async function makeTestWitness(db: Database, provisioner: Bus, schema: GuardedSchema): Promise<void> {
  const became = await makeWitness(db, provisioner.registers, schema)
  if (became === 'refused') throw new Error(`the witness of ${schema} is not made: an operator would have to decide`)
}
