/**
 * The ways back in time of going-back.test.ts under load, with 200 operations in flight at every stage; and those in which one schema alone
 * goes back, or both go back to different moments. A planned switch-over under as many writes as the machine carries.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type GoingBack, limitMs, namedIn, startGoingBack } from './going-back.test-helper.ts'

/** 200 operations in flight at the moment of the copy. */
const load = { each: 40, burst: 40 }

let world: GoingBack

const start = async () => {
  world = await startGoingBack()
}
const stop = () => world?.close()
afterEach(() => world.provider.clearFaults())

type Schema = 'operations' | 'submitter'

/** Copies the rows of a schema. The function that it returns puts them back, as a restore of this schema alone does. */
async function copySchema(schema: Schema): Promise<() => Promise<void>> {
  const kept = `kept_${schema}`
  await world.query(`DROP SCHEMA IF EXISTS ${kept} CASCADE`)
  await world.query(`CREATE SCHEMA ${kept}`)
  const tables = await world.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    [schema],
  )
  const copies = tables.map(({ name }) => `CREATE TABLE ${kept}.${name} AS SELECT * FROM ${schema}.${name};`)
  await world.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copies.join(' ')} COMMIT`)
  const names = tables.map(({ name }) => `${schema}.${name}`)
  const rows = tables.map(({ name }) => `INSERT INTO ${schema}.${name} SELECT * FROM ${kept}.${name};`)
  return async () => {
    // Triggers forbid it.
    await world.query(
      `BEGIN; SET LOCAL session_replication_role = replica; TRUNCATE ${names.join(', ')}; ${rows.join(' ')} COMMIT`,
    )
  }
}

describe('with 200 operations in flight', () => {
  beforeAll(start)
  afterAll(stop)

  test('all schemas are restored: closed until the operator recovers, and nothing is sent twice', async () => {
    let restore = async () => {}
    const lost = await world.liveOnAfter(async () => {
      ;({ restore } = await world.stack.postgres.backUp())
    }, load)
    await restore()
    const shown = await world.closedFor('submitter', 'loss|elsewhere')
    await world.expectClosed()
    expect(namedIn(shown)).toEqual(expect.arrayContaining(lost))
    await world.recover('--open')
    await world.expectOpen()
    await world.expectProven()
  })

  test.each<{ schemas: Schema[] }>([
    { schemas: ['operations'] },
    { schemas: ['submitter'] },
    { schemas: ['operations', 'submitter'] },
    { schemas: ['submitter', 'operations'] },
  ])('$schemas restored, each to its own moment, and no other schema: nothing is sent twice', async ({ schemas }) => {
    const restores: (() => Promise<void>)[] = []
    const share = { each: load.each / schemas.length, burst: load.burst / schemas.length }
    for (const schema of schemas)
      await world.liveOnAfter(async () => {
        restores.push(await copySchema(schema))
      }, share)
    for (const restore of restores) await restore()
    await world.closedFor(schemas[0] as Schema, 'loss|elsewhere')
    await world.expectClosed()
    await world.recover('--open')
    await world.expectOpen()
    await world.expectSound()
  })
})

describe('a planned switch-over', () => {
  beforeAll(start)
  afterAll(stop)

  test('under load: it needs nobody, and only operations in flight become uncertain', async () => {
    const standby = await world.stack.postgres.startStandby()
    const stopWriting = world.keepWriting('under way', 64)
    const listSucceeded = () =>
      world.query<{ id: string }>("SELECT id FROM operations.operations WHERE state = 'succeeded'")
    await expect.poll(async () => (await listSucceeded()).length, { timeout: limitMs }).toBeGreaterThan(500)
    const before = new Set((await listSucceeded()).map(({ id }) => id))
    await world.stack.postgres.freeze()
    await standby.promote()
    await world.accepted('after')
    await world.expectOpen()
    const ids = await stopWriting()
    await world.expectProven()
    expect(await world.recoveryPoints()).toEqual([null, null])
    const uncertain = await world.query<{ id: string }>(
      `SELECT DISTINCT operation_id AS id FROM operations.moves
       WHERE to_state = 'indeterminate' AND operation_id = ANY($1)`,
      [ids],
    )
    expect(uncertain.filter(({ id }) => before.has(id))).toEqual([])
    // Each writer has had at most two operations in flight.
    expect(uncertain.length).toBeLessThanOrEqual(128)
  })
})
