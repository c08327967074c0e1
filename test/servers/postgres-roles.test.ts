/**
 * The roles that `deploy/postgres/roles.sql` creates, with every schema of the system in place. No service reads
 * another's tables or changes the definition of its own. Rows that are written once stay, even against a holder of the
 * service's password.
 */

import { schemaOwners } from '@financial-agents/deploy/secrets/table'
import { ownerName, schemaName } from '@financial-agents/postgres/schema-name'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, startProvisioned, urlOf } from './roles.test-helper.ts'

type Who = 'runtime' | 'owner'

let provisioned: Awaited<ReturnType<typeof startProvisioned>>
let admin: pg.Client
const clients = new Map<string, pg.Client>()

const as = (service: string, who: Who = 'runtime') => clients.get(`${service} ${who}`) as pg.Client
const denied = { code: '42501' }

beforeAll(async () => {
  provisioned = await startProvisioned()
  admin = await connect(provisioned.adminUrl)
  for (const roles of provisioned.roles)
    for (const who of ['runtime', 'owner'] as const)
      clients.set(`${roles.service} ${who}`, await connect(urlOf(provisioned.adminUrl, roles, who)))
})
afterAll(async () => {
  await Promise.allSettled([...clients.values(), admin].map((client) => client?.end()))
  await provisioned?.stop()
})

const tablesOf = async (service: string) => {
  const { rows } = await admin.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY 1',
    [schemaName(service)],
  )
  return rows.map(({ name }) => name)
}

const pairs = schemaOwners.flatMap((service) =>
  schemaOwners.filter((other) => other !== service).map((other) => [service, other] as const),
)

describe('no service sees the schema of another', () => {
  test.each(pairs)('%s sees nothing of %s', async (service, other) => {
    const schema = schemaName(other)
    const [table] = await tablesOf(other)
    const name = `${schema}."${table}"`
    for (const who of ['runtime', 'owner'] as const)
      for (const statement of [
        `SELECT count(*) FROM ${name}`,
        `INSERT INTO ${name} DEFAULT VALUES`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
        `COPY ${name} TO STDOUT`,
        `CREATE TABLE ${schema}.mine (id int)`,
        `DROP SCHEMA ${schema} CASCADE`,
        `SET ROLE ${schema}`,
        `SET ROLE ${schema}_owner`,
      ])
        await expect(as(service, who).query(statement), `${who}: ${statement}`).rejects.toMatchObject(denied)
  })

  test.each(schemaOwners)('%s has no privilege on any table, column or sequence of another schema', async (service) => {
    const { rows } = await admin.query(
      `SELECT r.rolname AS role, c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       CROSS JOIN pg_roles r WHERE r.rolname IN ($1, $2) AND c.relkind IN ('r', 'v', 'm', 'p', 'S')
       AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', $1)
       AND (has_schema_privilege(r.oid, n.oid, 'USAGE') OR has_schema_privilege(r.oid, n.oid, 'CREATE')
         OR CASE c.relkind WHEN 'S' THEN has_sequence_privilege(r.oid, c.oid, 'USAGE, SELECT, UPDATE')
           ELSE has_table_privilege(r.oid, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
             OR has_any_column_privilege(r.oid, c.oid, 'SELECT, INSERT, UPDATE, REFERENCES') END)`,
      [schemaName(service), ownerName(service)],
    )
    expect(rows).toEqual([])
    for (const other of schemaOwners) expect((await tablesOf(other)).length).toBeGreaterThan(2)
  })

  test.each(schemaOwners)('%s finds the definitions of its own schema alone', async (service) => {
    for (const who of ['runtime', 'owner'] as const) {
      const { rows } = await as(service, who).query(
        `SELECT table_schema AS schema FROM information_schema.tables
         UNION SELECT table_schema FROM information_schema.columns UNION SELECT routine_schema FROM information_schema.routines
         UNION SELECT sequence_schema FROM information_schema.sequences UNION SELECT trigger_schema FROM information_schema.triggers
         EXCEPT SELECT unnest(ARRAY['pg_catalog', 'information_schema'])`,
      )
      expect(rows).toEqual([{ schema: schemaName(service) }])
    }
  })

  test.each(schemaOwners)('%s can call no function of another schema', async (service) => {
    const { rows } = await admin.query(
      `SELECT p.oid::regprocedure::text AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', $1)
       AND (has_function_privilege($1, p.oid, 'EXECUTE') OR has_function_privilege($2, p.oid, 'EXECUTE'))`,
      [schemaName(service), ownerName(service)],
    )
    expect(rows).toEqual([])
  })
})

describe('a service is held to rows', () => {
  const first = async (service: string) => `${schemaName(service)}."${(await tablesOf(service))[0]}"`

  test.each(schemaOwners)('%s reads and writes its tables', async (service) => {
    const { rows } = await admin.query(
      `SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename NOT LIKE 'kysely%'
       AND NOT has_table_privilege($1, schemaname || '.' || tablename, 'SELECT')`,
      [schemaName(service)],
    )
    expect(rows).toEqual([])
    await as(service).query(
      'BEGIN; SET LOCAL statement_timeout = 60000; SELECT pg_advisory_xact_lock(1); COMMIT; LISTEN something',
    )
  })

  test.each(schemaOwners)('%s changes nothing of what its schema is', async (service) => {
    const schema = schemaName(service)
    const table = await first(service)
    for (const statement of [
      `CREATE TABLE ${schema}.mine (id int)`,
      `CREATE VIEW ${schema}.mine AS SELECT 1 AS one`,
      `CREATE FUNCTION ${schema}.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
      `CREATE INDEX ON ${table} ((1))`,
      `CREATE TRIGGER mine AFTER INSERT ON ${table} EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
      `ALTER TABLE ${table} ADD COLUMN mine int`,
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      `ALTER TABLE ${table} OWNER TO ${schema}`,
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
      `TRUNCATE ${table}`,
      `DROP TABLE ${table}`,
      `DROP SCHEMA ${schema}`,
      `SELECT * FROM ${schema}.kysely_migration`,
      `UPDATE ${schema}.kysely_migration_lock SET is_locked = 1`,
      `SET ROLE ${schema}_owner`,
      `SET SESSION AUTHORIZATION ${schema}_owner`,
      'SET session_replication_role = replica',
      'CREATE TEMP TABLE mine (id int)',
      'CREATE SCHEMA mine',
      'CREATE TABLE public.mine (id int)',
      'CREATE EXTENSION pgcrypto',
      'CREATE ROLE mine',
      'CREATE DATABASE mine',
      'SELECT * FROM pg_authid',
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT lo_import('/etc/passwd')",
      `COPY ${table} TO '/tmp/mine'`,
      `COPY ${table} TO PROGRAM 'cat'`,
      "ALTER SYSTEM SET log_statement = 'all'",
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ownerName(service)}'`,
    ])
      await expect(as(service).query(statement), statement).rejects.toMatchObject({
        // PostgreSQL does not tell an ordinary user which rights a superuser's commands need.
        code: expect.stringMatching(/^42501$|^0LP01$/) as string,
      })
  })
})

/** Written by hand, from the guarantees of the services. */
// biome-ignore format: a table
const writtenOnce = [
  ['authz', 'audit'], ['ops-console', 'audit'], ['operations', 'history'], ['reconciler', 'evidence'], ['reconciler', 'late_answers'],
  ['catalog', 'service_ids'], ['catalog', 'purchase_ids'], ['catalog', 'quote_ids'], ['spending', 'accounts'],
  ['operations', 'grants'], ['operations', 'unsuccessful'],
] as const

// biome-ignore format: a table
const permanent = [
  ...writtenOnce, ['submitter', 'submissions'], ['submitter', 'fence_versions'], ['operations', 'operations'], ['operations', 'decisions'],
  ['reconciler', 'reconciliations'], ['reconciler', 'transitions'], ['authz', 'grants'],
  ['authz', 'clients'], ['authz', 'owners'], ['onboarding', 'bindings'],
] as const

describe('what is written once stays', () => {
  test.each(permanent)('%s removes nothing from %s', async (service, table) => {
    const name = `${schemaName(service)}.${table}`
    await expect(as(service).query(`DELETE FROM ${name}`)).rejects.toMatchObject(denied)
    await expect(as(service).query(`TRUNCATE ${name}`)).rejects.toMatchObject(denied)
    await as(service).query(`SELECT count(*) FROM ${name}`)
  })

  test.each(writtenOnce)('%s changes nothing in %s, and adds to it', async (service, table) => {
    const name = `${schemaName(service)}.${table}`
    const { rows } = await admin.query(
      'SELECT attname AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attnum = 1',
      [name],
    )
    const column = (rows[0] as { column: string }).column
    await expect(as(service).query(`UPDATE ${name} SET ${column} = DEFAULT`)).rejects.toMatchObject(denied)
    await expect(as(service).query(`SELECT 1 FROM ${name} FOR UPDATE`)).rejects.toMatchObject(denied)
    const allowed = await admin.query(`SELECT has_table_privilege($1, $2, 'INSERT') AS allowed`, [
      schemaName(service),
      name,
    ])
    expect(allowed.rows).toEqual([{ allowed: true }])
  })

  test('an entry of the console’s audit outlasts whoever has its password', async () => {
    const theirs = as('ops-console')
    await theirs.query(
      "INSERT INTO ops_console.audit (at, action, detail, outcome, request_id) VALUES (now(), 'list', '{}', 'answered', 'r')",
    )
    for (const statement of [
      "UPDATE ops_console.audit SET outcome = 'refused'",
      'DELETE FROM ops_console.audit',
      'TRUNCATE ops_console.audit',
      'DROP TRIGGER audit_is_append_only ON ops_console.audit',
      'ALTER TABLE ops_console.audit DISABLE TRIGGER audit_is_append_only',
      "CREATE OR REPLACE FUNCTION ops_console.refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    ])
      await expect(theirs.query(statement), statement).rejects.toMatchObject(denied)
    expect((await theirs.query('SELECT outcome FROM ops_console.audit')).rows).toEqual([{ outcome: 'answered' }])
  })

  test('operations cannot make a transition legal', async () => {
    await expect(
      as('operations').query('ALTER TABLE operations.history DROP CONSTRAINT legal_transition'),
    ).rejects.toMatchObject(denied)
  })
})

describe('the script', () => {
  test('says which verifier is missing, and changes nothing', async () => {
    const { VERIFIER_CARDS: _, ...environment } = provisioned.environment
    await expect(provisioned.provision(environment)).rejects.toThrow(
      provisioned.runner === 'psql' ? 'VERIFIER_CARDS is not set' : 'cards',
    )
  })

  test('run again keeps what services may not do, and lets them go on', async () => {
    await provisioned.provision()
    await expect(as('ops-console').query('DELETE FROM ops_console.audit')).rejects.toMatchObject(denied)
    await as('cards').query('SELECT count(*) FROM cards.cards')
  })

  test('bounds the connections of each role', async () => {
    await provisioned.provision({ ...provisioned.environment, CONNECTION_LIMIT: '3' })
    const cards = provisioned.roles.find(({ service }) => service === 'cards')
    if (!cards) throw new Error('cards has no roles')
    const url = urlOf(provisioned.adminUrl, cards, 'runtime')
    const more = [await connect(url), await connect(url)]
    await expect(connect(url)).rejects.toMatchObject({ code: '53300' })
    // Other services' connections have limits of their own.
    await as('spending').query('SELECT 1')
    await Promise.all(more.map((client) => client.end()))
    const { rows } = await admin.query<{ limit: number }>(
      'SELECT DISTINCT rolconnlimit AS limit FROM pg_roles WHERE rolname = ANY ($1)',
      [schemaOwners.map(ownerName)],
    )
    expect(rows).toEqual([{ limit: 16 }])
    await provisioned.provision()
  })
})
