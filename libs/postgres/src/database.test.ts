/** The outcomes of a transaction, on a real server. */

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, statement } from './database.ts'
import { ownerUrl, provisionRoles } from './provision.ts'

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
    onError: () => {},
  })
  await database.rows(statement('', 'CREATE TABLE claims (id integer PRIMARY KEY)'))
})
afterAll(async () => {
  await database.rows(statement('', 'DROP TABLE claims'))
  await database.close()
})

const insert = statement('insert', 'INSERT INTO claims VALUES ($1) RETURNING id')

test('a transaction with an ignored statement error is not reported as committed', async () => {
  const claimed = database.transaction(async (tx) => {
    const rows = await tx.rows(insert, [1])
    await tx.rows(insert, [1]).catch(() => {})
    return rows
  })
  await expect(claimed).rejects.toThrow('rolled back')
  expect(await database.rows(statement('all', 'SELECT id FROM claims'))).toEqual([])
  expect(await database.transaction((tx) => tx.rows(insert, [2]))).toEqual([{ id: 2 }])
})
