/** The outcomes of a transaction, on a real server. */

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, statement } from './database.ts'
import { ownerUrl, provisionRoles } from './provision.ts'
import { patient } from './testing/database.ts'

const role = { service: `database_${randomBytes(4).toString('hex')}`, password: 'runtime', ownerPassword: 'owner' }
const adminUrl = process.env['TEST_POSTGRES_URL'] as string

let database: Database

beforeAll(async () => {
  await provisionRoles(adminUrl, [role])
  database = openDatabase({
    connectionString: ownerUrl(adminUrl, role),
    applicationName: 'database test',
    schema: role.service,
    maxConnections: 1,
    ...patient,
    onError: () => {},
  })
  await database.rows(statement('', 'CREATE TABLE claims (id integer PRIMARY KEY)'))
})
afterAll(async () => {
  await database.rows(statement('', 'DROP TABLE claims'))
  await database.close()
})

const all = statement('all', 'SELECT id FROM claims ORDER BY id')
const insert = statement('insert', 'INSERT INTO claims VALUES ($1) RETURNING id')

test('a transaction with an ignored statement error is not reported as committed', async () => {
  const claimed = database.transaction(async (tx) => {
    const rows = await tx.rows(insert, [1])
    await tx.rows(insert, [1]).catch(() => {})
    return rows
  })
  await expect(claimed).rejects.toThrow('rolled back')
  expect(await database.rows(all)).toEqual([])
  expect(await database.transaction((tx) => tx.rows(insert, [2]))).toEqual([{ id: 2 }])
})

test('statements at once are one transaction, and each sees what the one before wrote', async () => {
  const seen = statement('seen', 'SELECT count(*)::integer AS count FROM claims WHERE id = $1')
  expect(
    await database.atOnce([
      [insert, [10]],
      [seen, [10]],
    ]),
  ).toEqual([[{ id: 10 }], [{ count: 1 }]])
  const refused = database.atOnce([
    [insert, [11]],
    [insert, [10]],
    [insert, [12]],
  ])
  await expect(refused).rejects.toMatchObject({ code: '23505' })
  expect(await database.rows(all)).toEqual([{ id: 2 }, { id: 10 }])
})

test('a connection goes on after statements at once of which one failed before others were prepared', async () => {
  const never = statement('never', 'SELECT 1 AS one')
  await expect(database.atOnce([[statement('broken', 'SELECT nonsense')], [never]])).rejects.toMatchObject({
    code: '42703',
  })
  expect(await database.atOnce([[never]])).toEqual([[{ one: 1 }]])
  await expect(database.rows(statement('broken', 'SELECT nonsense'))).rejects.toMatchObject({ code: '42703' })
  expect(await database.rows(never)).toEqual([{ one: 1 }])
})

test('values that cannot be sent fail alone, and nothing of their packet is committed', async () => {
  const unsendable: unknown[] = []
  unsendable.push({
    toPostgres: () => {
      throw new Error('unsendable')
    },
  })
  await expect(
    database.atOnce([
      [insert, [20]],
      [insert, unsendable],
      [insert, [21]],
    ]),
  ).rejects.toThrow()
  expect(await database.rows(all)).toEqual([{ id: 2 }, { id: 10 }])
})

test('the first statement of a transaction is rolled back with the others', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.rows(insert, [30])
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await expect(database.transaction((tx) => tx.rows(insert, [10]))).rejects.toMatchObject({ code: '23505' })
  expect(await database.rows(all)).toEqual([{ id: 2 }, { id: 10 }])
})
