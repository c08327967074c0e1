/** Roles as the stack provisions them: each in its own schema, and nothing else of the database is theirs. */

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { provisionRoles, roleUrl, type ServiceRole, whileOthersChangeRoles } from './provision.ts'
import { schemaName } from './schema-name.ts'

const adminUrl = process.env['TEST_POSTGRES_URL'] as string
const suffix = randomBytes(4).toString('hex')
const newPassword = () => randomBytes(18).toString('hex')
const roles: ServiceRole[] = ['alpha', 'beta', 'gamma'].map((name) => ({
  service: `${name}_${suffix}`,
  password: newPassword(),
}))
const [alpha, beta, gamma] = roles as [ServiceRole, ServiceRole, ServiceRole]

let admin: pg.Client
const clients = new Map<ServiceRole, pg.Client>()

async function login(role: ServiceRole): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: roleUrl(adminUrl, role) })
  await client.connect()
  return client
}

function as(role: ServiceRole): pg.Client {
  return clients.get(role) as pg.Client
}

beforeAll(async () => {
  admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await provisionRoles(adminUrl, roles)
  for (const role of roles) {
    const client = await login(role)
    clients.set(role, client)
    await client.query(`CREATE TABLE ${role.service}.things (id int PRIMARY KEY, secret text)`)
    await client.query(`CREATE SEQUENCE ${role.service}.numbers`)
    await client.query(`CREATE FUNCTION ${role.service}.answer() RETURNS int LANGUAGE sql AS 'SELECT 42'`)
    await client.query(`INSERT INTO ${role.service}.things VALUES (1, 'of ${role.service}')`)
  }
})

afterAll(async () => {
  for (const client of clients.values()) await client.end()
  for (const { service } of roles) {
    await whileOthersChangeRoles(async () => {
      await admin.query(`DROP OWNED BY ${service} CASCADE`)
    })
    await admin.query(`DROP ROLE ${service}`)
  }
  await admin.end()
})

const denied = '42501'

test('a role does in its own schema whatever it wants', async () => {
  const { rows } = await as(alpha).query(`SELECT secret FROM ${alpha.service}.things`)
  expect(rows).toEqual([{ secret: `of ${alpha.service}` }])
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

test('nobody but these roles and administrators may connect: PUBLIC has no right on database or public schema', async () => {
  const { rows } = await admin.query(
    `SELECT has_database_privilege(r.oid, current_database(), 'CONNECT') AS connect,
      has_database_privilege(r.oid, current_database(), 'TEMPORARY') AS temporary,
      has_schema_privilege(r.oid, 'public', 'USAGE') AS public_usage,
      r.rolsuper, r.rolcreatedb, r.rolcreaterole, r.rolreplication, r.rolbypassrls, r.rolinherit
    FROM pg_roles r WHERE r.rolname = ANY ($1)`,
    [roles.map((role) => role.service)],
  )
  expect(rows).toHaveLength(3)
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
  await provisionRoles(adminUrl, roles)
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

test('a service with a dash owns a schema, under a role, that nobody has to quote', async () => {
  const dashed = { service: `two-words-${suffix}`, password: newPassword() }
  await provisionRoles(adminUrl, [dashed])
  const client = await login(dashed)
  const name = schemaName(dashed.service)
  await client.query(`CREATE TABLE ${name}.things (id int)`)
  const { rows } = await client.query('SELECT current_user AS role')
  expect(rows).toEqual([{ role: `two_words_${suffix}` }])
  await client.end()
  await whileOthersChangeRoles(async () => {
    await admin.query(`DROP OWNED BY ${name} CASCADE`)
  })
  await admin.query(`DROP ROLE ${name}`)
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
  // Holds up the change of this role alone, so that it can be looked at while other tests make theirs.
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
