import { randomUUID } from 'node:crypto'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { createTestDatabase } from '@financial-agents/testkit/database'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../migrations.ts'
import { createAccountIds } from './account-ids.ts'

const database = await createTestDatabase({ service: 'spending', migrations })
const dbs = [database.open(), database.open()] as const
afterAll(() => database.close())

/** As a process has them that has seen nothing yet. */
const newProcess = (db: Queryable = dbs[0], maxKept = 1_000) => createAccountIds({ db, clock: createClock(), maxKept })

test('an account keeps its identifier over restarts, and another owner of the same reference has another', async () => {
  const [owner, other] = [randomUUID(), randomUUID()]
  const first = await newProcess().getIds(owner, ['a', 'b'])
  const again = await newProcess(dbs[1]).getIds(owner, ['b', 'c', 'a'])
  expect([again.get('a'), again.get('b')]).toEqual([first.get('a'), first.get('b')])
  expect(new Set([...again.values(), ...(await newProcess().getIds(other, ['a', 'b'])).values()]).size).toBe(5)
})

test('processes that see the same accounts first at once, in any order, give each one identifier', async () => {
  const owner = randomUUID()
  const references = Array.from({ length: 60 }, (_, index) => `account-${index}`)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      newProcess(dbs[index % 2]).getIds(owner, index % 3 === 0 ? references.toReversed() : references),
    ),
  )
  for (const reference of references)
    expect(new Set(answers.map((answer) => answer.get(reference))).size, reference).toBe(1)
  expect(new Set(answers[0]?.values()).size).toBe(references.length)
})

test('accounts seen before cost no statement, those of a whole list three; only so many are kept in memory', async () => {
  let statements = 0
  const counted = { rows: (...given: Parameters<(typeof dbs)[0]['rows']>) => (statements++, dbs[0].rows(...given)) }
  const ids = newProcess(counted as Queryable, 4)
  const owner = randomUUID()
  await ids.getIds(owner, ['a', 'b', 'c', 'd'])
  expect(statements).toBe(3)
  await ids.getIds(owner, ['a', 'b', 'c', 'd'])
  expect(statements).toBe(3)
  await ids.getIds(owner, ['e'])
  await ids.getIds(owner, ['b', 'c', 'd', 'e'])
  expect(statements).toBe(6)
  await ids.getIds(owner, ['a'])
  expect(statements).toBe(7)
  expect(
    await dbs[0].rows(statement('test_count', 'SELECT reference FROM accounts WHERE owner_id = $1'), [owner]),
  ).toHaveLength(5)
})

test('an owner without accounts has none, at no cost', async () => {
  const unreachable = { rows: () => Promise.reject(new Error('asked')) }
  expect(await newProcess(unreachable as Queryable).getIds(randomUUID(), [])).toEqual(new Map())
})
