/** Roles as the stack provisions them: each works in its own schema and has no other rights on the database. */

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, sqlMigration } from './migrate.ts'
import { ownerUrl, provisionRoles, roleUrl, type ServiceRoles } from './provision.ts'
import { ownerName, schemaName } from './schema-name.ts'
import { dropRoles } from './testing/database.ts'

const adminUrl = process.env['TEST_POSTGRES_URL'] as string
const suffix = randomBytes(4).toString('hex')
const newPassword = () => randomBytes(18).toString('hex')
const roles: ServiceRoles[] = ['alpha', 'beta', 'gamma'].map((name) => ({
  service: `${name}_${suffix}`,
  password: newPassword(),
  ownerPassword: newPassword(),
}))
const [alpha, beta, gamma] = roles as [ServiceRoles, ServiceRoles, ServiceRoles]

let admin: pg.Client
const clients = new Map<ServiceRoles, pg.Client>()

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

const login = (role: ServiceRoles) => connect(roleUrl(adminUrl, role))
const loginAsOwner = (role: ServiceRoles) => connect(ownerUrl(adminUrl, role))

function as(role: ServiceRoles): pg.Client {
  return clients.get(role) as pg.Client
}

beforeAll(async () => {
  admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await provisionRoles(adminUrl, roles)
  for (const role of roles) {
    const owner = await loginAsOwner(role)
    await owner.query(`CREATE TABLE ${role.service}.things (id int PRIMARY KEY, secret text)`)
    await owner.query(`CREATE SEQUENCE ${role.service}.numbers`)
    await owner.query(`CREATE FUNCTION ${role.service}.answer() RETURNS int LANGUAGE sql AS 'SELECT 42'`)
    await owner.end()
    clients.set(role, await login(role))
    await as(role).query(`INSERT INTO ${role.service}.things VALUES (1, 'of ${role.service}')`)
  }
})

afterAll(async () => {
  for (const client of clients.values()) await client.end()
  for (const { service } of roles) await dropRoles(adminUrl, service)
  await admin.end()
})

const denied = '42501'

test('a service reads and writes the rows of its own schema, draws numbers and calls functions', async () => {
  const { service } = alpha
  await as(alpha).query(`INSERT INTO ${service}.things VALUES (7, 'x')`)
  await as(alpha).query(`UPDATE ${service}.things SET secret = 'y' WHERE id = 7`)
  await as(alpha).query(`DELETE FROM ${service}.things WHERE id = 7`)
  const { rows } = await as(alpha).query(
    `SELECT secret, ${service}.answer(), nextval('${service}.numbers')::int AS number FROM ${service}.things`,
  )
  expect(rows).toEqual([{ secret: `of ${service}`, answer: 42, number: 1 }])
})

describe('in its own schema a service may not', () => {
  test.each([
    ['create a table', (schema: string) => `CREATE TABLE ${schema}.mine (id int)`],
    ['create a function', (schema: string) => `CREATE FUNCTION ${schema}.f() RETURNS int LANGUAGE sql AS 'SELECT 1'`],
    ['change a table', (schema: string) => `ALTER TABLE ${schema}.things ADD COLUMN more int`],
    ['switch triggers off', (schema: string) => `ALTER TABLE ${schema}.things DISABLE TRIGGER ALL`],
    ['index a table', (schema: string) => `CREATE INDEX ON ${schema}.things (secret)`],
    ['empty a table', (schema: string) => `TRUNCATE ${schema}.things`],
    ['drop a table', (schema: string) => `DROP TABLE ${schema}.things`],
    ['drop the schema', (schema: string) => `DROP SCHEMA ${schema} CASCADE`],
    [
      'replace a function',
      (schema: string) => `CREATE OR REPLACE FUNCTION ${schema}.answer() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    ],
    ['set a sequence', (schema: string) => `SELECT setval('${schema}.numbers', 1)`],
    ['become the owner', (schema: string) => `SET ROLE ${schema}_owner`],
  ])('%s', async (_what, statement) => {
    await expect(as(beta).query(statement(beta.service))).rejects.toMatchObject({ code: denied })
  })
})

describe('in the schema of another service a role may not', () => {
  test.each([
    ['read', (schema: string) => `SELECT * FROM ${schema}.things`],
    ['count', (schema: string) => `SELECT count(*) FROM ${schema}.things`],
    ['insert', (schema: string) => `INSERT INTO ${schema}.things VALUES (2, 'x')`],
    ['update', (schema: string) => `UPDATE ${schema}.things SET secret = 'x'`],
    ['delete', (schema: string) => `DELETE FROM ${schema}.things`],
    ['truncate', (schema: string) => `TRUNCATE ${schema}.things`],
    ['lock', (schema: string) => `BEGIN; LOCK TABLE ${schema}.things`],
    ['create a table', (schema: string) => `CREATE TABLE ${schema}.mine (id int)`],
    ['create a trigger', (schema: string) => `CREATE TRIGGER t AFTER INSERT ON ${schema}.things EXECUTE FUNCTION f()`],
    ['drop a table', (schema: string) => `DROP TABLE ${schema}.things`],
    ['refer to a table', (schema: string) => `CREATE TABLE mine (id int REFERENCES ${schema}.things)`],
    ['draw a number', (schema: string) => `SELECT nextval('${schema}.numbers')`],
    ['call a function', (schema: string) => `SELECT ${schema}.answer()`],
    ['grant', (schema: string) => `GRANT USAGE ON SCHEMA ${schema} TO PUBLIC`],
    ['drop the schema', (schema: string) => `DROP SCHEMA ${schema} CASCADE`],
  ])('%s', async (_what, statement) => {
    await as(beta).query(`SET search_path TO ${beta.service}`)
    await expect(as(beta).query(statement(alpha.service))).rejects.toMatchObject({ code: denied })
    await as(beta).query('ROLLBACK')
  })
})

test.each([
  ['the owner of one schema', loginAsOwner],
  ['a service', login],
])('%s sees and changes nothing of another', async (_who, connectAs) => {
  const client = await connectAs(beta)
  for (const statement of [
    `SELECT * FROM ${alpha.service}.things`,
    `CREATE TABLE ${alpha.service}.mine (id int)`,
    `SET ROLE ${alpha.service}`,
    `SET ROLE ${alpha.service}_owner`,
  ])
    await expect(client.query(statement)).rejects.toMatchObject({ code: denied })
  await client.end()
})

test('a role sees its own tables and routines in the information schema, and of no other schema any', async () => {
  for (const view of ['tables', 'columns', 'sequences', 'routines', 'schemata']) {
    const column = { sequences: 'sequence_schema', routines: 'routine_schema', schemata: 'schema_name' }[view]
    const { rows } = await as(beta).query(
      `SELECT DISTINCT ${column ?? 'table_schema'} AS schema FROM information_schema.${view}
      WHERE ${column ?? 'table_schema'} NOT IN ('pg_catalog', 'information_schema')`,
    )
    expect(rows).toEqual([{ schema: beta.service }])
  }
})

test.each([
  ['a table in the public schema', 'CREATE TABLE public.mine (id int)'],
  ['a function in the public schema', "CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
  ['a temporary table', 'CREATE TEMP TABLE mine (id int)'],
  ['a schema', 'CREATE SCHEMA mine'],
  ['a role', 'CREATE ROLE mine'],
  ['a database', 'CREATE DATABASE mine'],
  ['another identity', `SET ROLE ${alpha.service}`],
  ['another identity for the session', `SET SESSION AUTHORIZATION ${alpha.service}`],
  ['an untrusted extension', 'CREATE EXTENSION dblink'],
  ['a file of the server', "SELECT pg_read_file('/etc/passwd')"],
  ['a program on the server', "COPY (SELECT 1) TO PROGRAM 'cat'"],
  ['the passwords', 'SELECT rolpassword FROM pg_authid'],
])('a role gets for itself not %s', async (_what, statement) => {
  await expect(as(beta).query(statement)).rejects.toMatchObject({ code: denied })
})

test('only these roles and administrators may connect: PUBLIC has no right on the database or the public schema', async () => {
  const { rows } = await admin.query(
    `SELECT has_database_privilege(r.oid, current_database(), 'CONNECT') AS connect,
      has_database_privilege(r.oid, current_database(), 'TEMPORARY') AS temporary,
      has_schema_privilege(r.oid, 'public', 'USAGE') AS public_usage,
      r.rolsuper, r.rolcreatedb, r.rolcreaterole, r.rolreplication, r.rolbypassrls, r.rolinherit
    FROM pg_roles r WHERE r.rolname = ANY ($1)`,
    [roles.flatMap((role) => [role.service, ownerName(role.service)])],
  )
  expect(rows).toHaveLength(6)
  for (const row of rows)
    expect(row).toEqual({
      connect: true,
      temporary: false,
      public_usage: false,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      rolinherit: false,
    })
})

test('a second provision changes the password and leaves the data', async () => {
  const renewed = { ...alpha, password: newPassword() }
  await provisionRoles(adminUrl, [renewed])
  await expect(login(alpha)).rejects.toMatchObject({ code: '28P01' })
  const client = await login(renewed)
  expect((await client.query(`SELECT count(*)::int AS count FROM ${alpha.service}.things`)).rows).toEqual([
    { count: 1 },
  ])
  await client.end()
})

test('a second provision takes back what a role was given beyond its own', async () => {
  await admin.query(`ALTER ROLE ${beta.service} CREATEDB CREATEROLE BYPASSRLS`)
  await admin.query(`GRANT ${alpha.service}_owner, pg_read_all_data TO ${beta.service}`)
  await admin.query(`GRANT CREATE ON SCHEMA ${beta.service} TO ${beta.service}`)
  await provisionRoles(adminUrl, roles)
  await expect(as(beta).query(`SELECT * FROM ${alpha.service}.things`)).rejects.toMatchObject({ code: denied })
  await expect(as(beta).query(`SET ROLE ${alpha.service}_owner`)).rejects.toMatchObject({ code: denied })
  await expect(as(beta).query(`CREATE TABLE ${beta.service}.mine (id int)`)).rejects.toMatchObject({ code: denied })
  const { rows } = await admin.query(
    'SELECT rolcreatedb OR rolcreaterole OR rolbypassrls OR rolsuper AS more FROM pg_roles WHERE rolname = $1',
    [beta.service],
  )
  expect(rows).toEqual([{ more: false }])
})

test('a password may hold any character', async () => {
  const odd = { ...gamma, password: `'"\\ %/:@?#[]$&\u00e9\u{1f600} ${suffix}` }
  await provisionRoles(adminUrl, [odd])
  await (await login(odd)).end()
})

test('a service with a dash has a schema and roles whose names need no quotes', async () => {
  const dashed = { service: `two-words-${suffix}`, password: newPassword(), ownerPassword: newPassword() }
  await provisionRoles(adminUrl, [dashed])
  const client = await loginAsOwner(dashed)
  const name = schemaName(dashed.service)
  await client.query(`CREATE TABLE ${name}.things (id int)`)
  const { rows } = await client.query('SELECT current_user AS role')
  expect(rows).toEqual([{ role: `two_words_${suffix}_owner` }])
  await client.end()
  await (await login(dashed)).end()
  await dropRoles(adminUrl, dashed.service)
})

test('a role has at most its share of the connections', async () => {
  const { rows } = await admin.query(
    `SELECT rolconnlimit AS "limit", current_setting('max_connections')::int AS of_all FROM pg_roles WHERE rolname = $1`,
    [beta.service],
  )
  const [{ limit, of_all }] = rows as [{ limit: number; of_all: number }]
  expect(limit).toBeGreaterThanOrEqual(20)
  expect(limit).toBeLessThanOrEqual(of_all / 2)
})

test('no password is in a statement, which the server would log if it failed', async () => {
  const renewed = { ...gamma, password: newPassword() }
  const holder = new pg.Client({ connectionString: adminUrl })
  await holder.connect()
  await holder.query('BEGIN')
  // Blocks the change of this role alone, so that the test can observe it while other tests change their roles.
  await holder.query('SELECT FROM pg_authid WHERE rolname = $1 FOR UPDATE', [gamma.service])
  const provisioned = provisionRoles(adminUrl, [renewed])
  let statement: string | undefined
  while (statement === undefined) {
    const { rows } = await admin.query(
      "SELECT query FROM pg_stat_activity WHERE query ~ $1 AND wait_event_type = 'Lock'",
      [`ALTER ROLE "?${gamma.service}`],
    )
    statement = rows[0]?.query
  }
  await holder.end()
  await provisioned
  expect(statement).toContain('SCRAM-SHA-256$')
  expect(statement).not.toContain(renewed.password)
  await (await login(renewed)).end()
  await provisionRoles(adminUrl, roles)
})

test('ten provisions at once leave the same roles', async () => {
  await Promise.all(Array.from({ length: 10 }, () => provisionRoles(adminUrl, roles)))
  for (const role of roles) await (await login(role)).end()
})

test('an administrator who is no superuser but owns the database and may create roles does the same', async () => {
  const name = `manager_${suffix}`
  const own = { service: `managed_${suffix}`, password: newPassword(), ownerPassword: newPassword() }
  await admin.query(`CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD 'manager'`)
  await admin.query(`CREATE DATABASE ${name} OWNER ${name}`)
  const url = new URL(adminUrl)
  url.username = name
  url.password = 'manager'
  url.pathname = `/${name}`
  await provisionRoles(url.href, [own])
  await provisionRoles(url.href, [own])
  const migrations = { '0001_init': sqlMigration('CREATE TABLE things (id int)') }
  await migrate({ connectionString: ownerUrl(url.href, own), schema: own.service, migrations })
  const client = await connect(roleUrl(url.href, own))
  await client.query(`INSERT INTO ${own.service}.things VALUES (1)`)
  await expect(client.query(`DROP TABLE ${own.service}.things`)).rejects.toMatchObject({ code: denied })
  await client.end()
  await admin.query(`DROP DATABASE ${name}`)
  await admin.query(`DROP ROLE ${own.service}, ${own.service}_owner, ${name}`)
})
