/** The witness on a real PostgreSQL and a real JetStream. The epoch of the database is what the test says. */

import type { Bus } from '@financial-agents/bus/connect'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createLog } from '@financial-agents/runtime/log'
import { makeWitness } from '@financial-agents/witness/make'
import { type EpochEntry, epochOf, type MarkEntry, markOf } from '@financial-agents/witness/subjects'
import { startWitness, type Witness } from '@financial-agents/witness/witness'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from './migrations.ts'

const log = createLog({ service: 'test', level: 'silent' })
const schema = 'submitter'
const first = '1/1/100'

let nats: TestNats
let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
let bus: Bus
let running: Witness[]
/** Makes the function again as the migration did. */
let realEpoch: string

beforeEach(async () => {
  ;[database, nats] = await Promise.all([
    createTestDatabase({ service: schema, migrations: { ...migrations }, months: true }),
    startTestNats(),
  ])
  db = database.open(8)
  bus = await nats.connect(schema)
  running = []
  const read = statement('', "SELECT pg_get_functiondef('database_epoch'::regproc) AS definition")
  realEpoch = (await db.rows<{ definition: string }>(read))[0]?.definition as string
  await beginEpoch(first)
})
afterEach(async () => {
  await Promise.all(running.map((witness) => witness.stop()))
  await db.close()
  await nats.stop()
  await database.close()
})

const query = (text: string, values: unknown[] = [], at = db) => at.rows(statement('', text), values)

/** Begins an epoch, except for a connection that has one of its own. */
async function beginEpoch(epoch: string): Promise<void> {
  await query(
    `CREATE OR REPLACE FUNCTION database_epoch() RETURNS text LANGUAGE sql STABLE AS
     $f$ SELECT coalesce(current_setting('test.epoch', true), '${epoch}') $f$`,
  )
}

function start(at = db): Witness {
  const witness = startWitness({ db: at, bus, schema, log, now: () => new Date(), lanes: 2 })
  running.push(witness)
  return witness
}

const make = async () => makeWitness(db, (await nats.connect('provisioner')).registers, schema)
const reasonOf = (witness: Witness) => expect.poll(() => witness.closed()?.reason ?? 'open', { timeout: 20_000 })

/** Counts one transaction. Returns whether it is witnessed. */
async function count(witness: Witness): Promise<boolean> {
  const run = (mark: readonly unknown[]) => query('SELECT mark($1, $2, $3)', [...mark])
  return (await witness.record((mark) => run(mark()), 5_000)).witnessed
}

/** PostgreSQL comes back with the marks that it had, and in another epoch. */
async function goBack(marks: object[], epoch: string): Promise<void> {
  await query('TRUNCATE witness_marks')
  await query('INSERT INTO witness_marks SELECT * FROM json_populate_recordset(null::witness_marks, $1)', [
    JSON.stringify(marks),
  ])
  await beginEpoch(epoch)
}

test('nothing is written before the job has made the witness', async () => {
  const witness = start()
  await reasonOf(witness).toBe('no_witness')
  await expect(count(witness)).rejects.toThrow('no_witness')
  await expect(witness.check()).rejects.toThrow('no_witness')
  expect(await make()).toBe('made')
  await reasonOf(witness).toBe('open')
  expect(await count(witness)).toBe(true)
  expect(await make()).toBe('as it should be')
})

test('a restart without loss needs nobody, and replicas join beside each other', async () => {
  await make()
  const [one, other] = [start(), start()]
  for (const witness of [one, other]) await reasonOf(witness).toBe('open')
  await Promise.all(Array.from({ length: 10 }, () => Promise.all([count(one), count(other)])))
  await beginEpoch('1/1/200')
  for (const witness of [one, other])
    await expect.poll(() => count(witness).catch(() => false), { timeout: 20_000 }).toBe(true)
})

test('a service without work finds a loss by itself', async () => {
  await make()
  const witness = start()
  await reasonOf(witness).toBe('open')
  const marks = (await query('SELECT * FROM witness_marks')) as object[]
  await count(witness)
  await goBack(marks, '1/1/200')
  await reasonOf(witness).toBe('loss')
})

test('a schema that was restored alone, while PostgreSQL lives on, has lost something', async () => {
  await query(realEpoch)
  await make()
  const witness = start()
  await reasonOf(witness).toBe('open')
  await query('CREATE TABLE restored AS SELECT * FROM witness_marks')
  await count(witness)
  await query('TRUNCATE witness_marks')
  await query('INSERT INTO witness_marks SELECT * FROM restored')
  await query('DROP TABLE restored')
  await reasonOf(witness).toBe('loss')
})

test('a mark that follows later is that of a commit, although another transaction is under way and fails', async () => {
  await make()
  const witness = start()
  await reasonOf(witness).toBe('open')
  await Promise.all([1, 2].map(() => witness.record((mark) => query('SELECT mark($1, $2, $3)', [...mark()]), 0)))
  const marks = async () => {
    const entry = await bus.registers.read<EpochEntry>(epochOf(schema))
    const each = entry?.value.writers.map((writer) => bus.registers.read<MarkEntry>(markOf(schema, writer))) ?? []
    return (await Promise.all(each)).map((mark) => mark?.value.number)
  }
  const failing = [1, 2].map(() =>
    witness.record(async (mark) => {
      mark()
      await expect.poll(marks, { timeout: 20_000 }).toEqual([2, 2])
      throw new Error('rolled back')
    }, 0),
  )
  for (const each of failing) await expect(each).rejects.toThrow('rolled back')
})

test('the loss of a single transaction is found, and stays found until an operator recovers', async () => {
  await make()
  const witness = start()
  await reasonOf(witness).toBe('open')
  await count(witness)
  const marks = (await query('SELECT * FROM witness_marks')) as object[]
  expect(await count(witness)).toBe(true)
  await goBack(marks, '1/2/200')
  await expect(count(witness)).rejects.toThrow('newest')
  await reasonOf(witness).toBe('loss')
  expect(witness.closed()).toMatchObject({ from: expect.any(Date), to: expect.any(Date), transactions: 1 })
  const later = start()
  await reasonOf(later).toBe('loss')
  const registered = await bus.registers.read(epochOf(schema))
  for (const each of [witness, later]) await expect(count(each)).rejects.toThrow('loss')
  const attempts = later.closed()
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(await bus.registers.read(epochOf(schema)), 'no attempt adds writers').toEqual(registered)
  expect(later.closed()).toMatchObject({ reason: 'loss', since: attempts?.since })
  expect(await make()).toBe('as it should be')
  const before = new Date()
  const recovered = await witness.recover()
  const point = new Date('refused' in recovered ? recovered.refused : recovered.recovery_point)
  expect(point.getTime()).toBeGreaterThan(before.getTime())
  for (const each of [witness, later]) await reasonOf(each).toBe('open')
  await witness.record(async (_mark, obeyed) => expect(obeyed).toEqual(point), 0)
})

test('an older primary is shut out: a mark of its replica is refused, and it does not disturb the newest', async () => {
  await make()
  const oldPrimary = database.open(1)
  await query(`SET test.epoch = '${first}'`, [], oldPrimary)
  const old = start(oldPrimary)
  await reasonOf(old).toBe('open')
  let newest: Witness | undefined
  // While the replica at the old primary commits, one at the promoted standby joins.
  const { witnessed } = await old.record(async (mark) => {
    await query('SELECT mark($1, $2, $3)', [...mark()], oldPrimary)
    await beginEpoch('1/2/200')
    newest = start()
    await reasonOf(newest).toBe('open')
    await query("UPDATE witness SET verified_epoch = '1/1/100'")
  }, 3_000)
  expect(witnessed).toBe(false)
  await reasonOf(old).toBe('superseded')
  expect((newest as unknown as Witness).closed()).toBeUndefined()
})

test('a witness that is lost delays, and the job makes it anew while nothing is lost; else an operator decides', async () => {
  await make()
  const witness = start()
  await reasonOf(witness).toBe('open')
  await nats.server.kill()
  await nats.server.start({ wipeStore: true })
  await nats.provision()
  const counted = count(witness)
  await reasonOf(witness).toBe('no_witness')
  expect(await make()).toBe('made')
  // The transaction was counted before, and its mark is in the new witness: the session that follows vouches for it.
  expect(await counted).toBe(true)
  await nats.server.kill()
  await nats.server.start({ wipeStore: true })
  await nats.provision()
  await beginEpoch('1/1/200')
  expect(await make()).toBe('refused')
})

test('a first witness whose making was interrupted is made when the job runs again', async () => {
  const { registers } = await nats.connect('provisioner')
  const interrupted = { ...registers, write: () => Promise.reject(new Error('the job is killed')) }
  await expect(makeWitness(db, interrupted, schema)).rejects.toThrow('killed')
  expect(await make()).toBe('made')
  await reasonOf(start()).toBe('open')
})

test('an older copy of the witness is not believed', async () => {
  await make()
  const earlier = await bus.registers.read(epochOf(schema))
  const witness = start()
  await reasonOf(witness).toBe('open')
  await count(witness)
  await witness.stop()
  await query('UPDATE witness SET epoch_sequence = 1000')
  const later = start()
  await reasonOf(later).toBe('other_witness')
  expect(earlier).toBeDefined()
  expect(await make()).toBe('made')
  await reasonOf(later).toBe('open')
})
