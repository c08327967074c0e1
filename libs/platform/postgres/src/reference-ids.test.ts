import { randomUUID } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { type Queryable, statement } from './database.ts'
import { sqlMigration } from './migrate.ts'
import { createReferenceIds, type ReferenceIds, referenceIdStatements } from './reference-ids.ts'
import { createTestDatabase } from './testing/database.ts'
import { explain } from './testing/explain.ts'

const columns = `owner_id text COLLATE "C" NOT NULL, reference text COLLATE "C" NOT NULL, id uuid NOT NULL UNIQUE,
  first_seen_at timestamptz NOT NULL, PRIMARY KEY (owner_id, reference)`
const migrations = { '0001_init': sqlMigration(`CREATE TABLE things (${columns})`) }
const database = await createTestDatabase({ service: 'references', migrations })
const dbs = [database.open(), database.open()] as const
afterAll(() => database.close())

const clock = { now: () => new Date('2026-01-01T00:00:00.000Z') }
/** The identifiers of a process that has read none yet. */
const newProcess = (db: Queryable = dbs[0], maxKept = 1_000) =>
  createReferenceIds({ db, clock, table: 'things', maxKept })
const idsOf = async (process: ReferenceIds, owner: string, references: readonly string[]) =>
  references.map(await process.getIds(owner, references))

test('a reference keeps its identifier over restarts, and another owner of the same reference gets another one', async () => {
  const [owner, other] = [randomUUID(), randomUUID()]
  const [a, b] = await idsOf(newProcess(), owner, ['a', 'b'])
  const again = await idsOf(newProcess(dbs[1]), owner, ['b', 'c', 'a', 'b'])
  expect([again[0], again[2], again[3]]).toEqual([b, a, b])
  expect(new Set([...again, ...(await idsOf(newProcess(), other, ['a', 'b']))]).size).toBe(5)
})

test('processes that see the same references at the same time, in any order, give each one identifier', async () => {
  const owner = randomUUID()
  const references = Array.from({ length: 60 }, (_, index) => `reference-${index}`)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      newProcess(dbs[index % 2]).getIds(owner, index % 3 === 0 ? references.toReversed() : references),
    ),
  )
  const given = answers.map((idOf) => JSON.stringify(references.map(idOf)))
  expect(new Set(given).size).toBe(1)
  expect(new Set(references.map(answers[0] as (reference: string) => string)).size).toBe(references.length)
})

const waiting = statement(
  'test_waiting',
  `SELECT pid FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock'`,
)

test('two processes that see the same references in opposite order never deadlock', async () => {
  const owner = randomUUID()
  const seen = ['a', 'm', 'z']
  const gaveUp = new Error('the test lets go')
  // Two processes that insert in different orders would each wait for a row of the other, once both reach the middle
  // row.
  const both = Promise.withResolvers<PromiseSettledResult<string[]>[]>()
  const holding = dbs[0].transaction(async (tx) => {
    await tx.rows(referenceIdStatements('things').insert, [owner, ['m'], [randomUUID()], clock.now()])
    both.resolve(
      Promise.allSettled([idsOf(newProcess(dbs[0]), owner, seen), idsOf(newProcess(dbs[1]), owner, seen.toReversed())]),
    )
    await vi.waitFor(async () => expect(await dbs[1].rows(waiting)).toHaveLength(2), { timeout: 120_000, interval: 25 })
    throw gaveUp
  })
  await expect(holding).rejects.toBe(gaveUp)
  const [one, other] = await both.promise
  if (one?.status !== 'fulfilled' || other?.status !== 'fulfilled') throw new Error(JSON.stringify([one, other]))
  expect(one.value).toEqual(other.value.toReversed())
})

test('known references cost no statement and a new list three; the memory is bounded', async () => {
  let statements = 0
  const counted = { rows: (...given: Parameters<(typeof dbs)[0]['rows']>) => (statements++, dbs[0].rows(...given)) }
  const process = newProcess(counted as Queryable, 4)
  const owner = randomUUID()
  for (const [references, total] of [
    [['a', 'b', 'c', 'd'], 3],
    [['a', 'b', 'c', 'd'], 3],
    [['e'], 6],
    [['b', 'c', 'd', 'e'], 6],
    [['a'], 7],
    [[], 7],
  ] as const) {
    await process.getIds(owner, references)
    expect(statements).toBe(total)
  }
})

test('identifiers from elsewhere are kept from the first sight on, even if others are given later', async () => {
  const owner = randomUUID()
  const [early, late] = [randomUUID(), randomUUID()]
  const givenTo = (reference: string, id: string) =>
    createReferenceIds({ db: dbs[0], clock, table: 'things', maxKept: 10, findGiven: async () => [{ reference, id }] })
  expect((await idsOf(givenTo('a', early), owner, ['a', 'b']))[0]).toBe(early)
  expect(await idsOf(givenTo('a', late), owner, ['a'])).toEqual([early])
})

test('a reference that was not requested has no identifier', async () => {
  const idOf = await newProcess().getIds(randomUUID(), ['a'])
  expect(() => idOf('b')).toThrow('without an identifier')
})

test('the identifiers of a list are found by the index', async () => {
  await dbs[0].rows(
    statement(
      'test_fill',
      `INSERT INTO things SELECT 'owner-' || n % 200, 'reference-' || n, gen_random_uuid(), now() FROM generate_series(1, 20000) n`,
    ),
  )
  await dbs[0].rows(statement('test_analyze', 'ANALYZE things'))
  const text = await explain(dbs[0], referenceIdStatements('things').known, [
    'owner-7',
    ['reference-7', 'reference-207'],
  ])
  expect(text).toContain('things_pkey')
  expect(text).not.toContain('Seq Scan')
})
