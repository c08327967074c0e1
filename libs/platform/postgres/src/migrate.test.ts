/** Migrations of one schema: they only go forward, and leave a schema of a later version as it is. */

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Migrations, migrate, sqlMigration } from './migrate.ts'
import { ownerUrl, provisionRoles } from './provision.ts'
import { dropRoles } from './testing/database.ts'

const adminUrl = process.env['TEST_POSTGRES_URL'] as string
const service = `migrated_${randomBytes(4).toString('hex')}`
const roles = { service, password: randomBytes(18).toString('hex'), ownerPassword: randomBytes(18).toString('hex') }

const first: Migrations = { '0001_init': sqlMigration('CREATE TABLE accounts (id int PRIMARY KEY)') }
const second: Migrations = { ...first, '0002_audit': sqlMigration('CREATE TABLE audit (id int PRIMARY KEY)') }
const privileges = { audit: ['INSERT'] } as const

let admin: pg.Client

beforeAll(async () => {
  await provisionRoles(adminUrl, [roles])
  admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
})

afterAll(async () => {
  await dropRoles(adminUrl, service)
  await admin.end()
})

const run = (migrations: Migrations, restrictions = {}) =>
  migrate({ connectionString: ownerUrl(adminUrl, roles), schema: service, migrations, privileges: restrictions })

async function mayUpdateAudit(): Promise<boolean> {
  const asked = `SELECT has_table_privilege('${service}', '${service}.audit', 'UPDATE') AS allowed`
  const { rows } = await admin.query<{ allowed: boolean }>(asked)
  return rows[0]?.allowed === true
}

test('an older version finds a newer schema good enough, and leaves its tables and privileges as they are', async () => {
  expect(await run(first)).toEqual(['0001_init'])
  expect(await run(second, privileges)).toEqual(['0002_audit'])
  expect(await run(first)).toEqual([])
  expect(await mayUpdateAudit()).toBe(false)
  expect(await run(second, privileges)).toEqual([])
})

test('a migration that has run and is not known, but is older than the last, is refused by its name', async () => {
  const other: Migrations = {
    '0001_init': first['0001_init'] as Migrations[string],
    '0003_other': sqlMigration('SELECT 1'),
  }
  await expect(run(other)).rejects.toThrow('0002_audit is missing')
})

test('a migration does not wait for long behind a session that holds its table', async () => {
  const waits = sqlMigration(`DO $$ BEGIN
    IF current_setting('lock_timeout')::interval NOT BETWEEN '1s' AND '30s' THEN RAISE EXCEPTION 'it would wait'; END IF; END $$`)
  expect(await run({ ...second, '0003_waits': waits }, privileges)).toEqual(['0003_waits'])
})

test('schemas of others may come and go meanwhile', async () => {
  const others = Array.from({ length: 40 }, (_, index) => `other_${randomBytes(4).toString('hex')}_${index}`)
  const make = (name: string) => `CREATE SCHEMA ${name}; CREATE TABLE ${name}.accounts (id int, name text)`
  let migrating = true
  const comeAndGo = async () => {
    while (migrating) {
      await admin.query(others.map(make).join('; '))
      for (const name of others) await admin.query(`DROP SCHEMA ${name} CASCADE`)
    }
  }
  const gone = comeAndGo()
  try {
    for (let runs = 0; runs < 30; runs += 1) await run(second, privileges)
  } finally {
    migrating = false
    await gone
  }
})
