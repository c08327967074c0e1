import { expect, test } from 'vitest'
import { statement } from '../database.ts'
import { sqlMigration } from '../migrate.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

const migrations = {
  '0001_init': sqlMigration(`
    CREATE TABLE settings (name text PRIMARY KEY);
    INSERT INTO settings VALUES ('given');
    CREATE TABLE things (id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text);
    CREATE TABLE parts (thing int REFERENCES things (id));
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'append-only'; END $$;
    CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON parts EXECUTE FUNCTION refuse()`),
}

const run = <Row>(of: TestDatabase, text: string) => of.open().rows<Row>(statement('', text))

/** Opens a schema, lets `use` work in it, and returns its name. */
async function nameAfter(use: (of: TestDatabase) => Promise<unknown>): Promise<string> {
  const database = await createTestDatabase({ service: 'spare', migrations })
  await use(database)
  await database.close()
  return database.schema
}

test('the next test gets the schema with the rows of its migrations and no others, and with ids from 1', async () => {
  const first = await nameAfter(async (database) => {
    await run(database, "INSERT INTO things (name) VALUES ('one'), ('two')")
    await run(database, 'INSERT INTO parts VALUES (1), (2)')
  })
  const second = await nameAfter(async (database) => {
    expect(await run(database, 'SELECT * FROM parts')).toEqual([])
    expect(await run(database, 'SELECT * FROM settings')).toEqual([{ name: 'given' }])
    expect(await run(database, "INSERT INTO things (name) VALUES ('three') RETURNING id")).toEqual([{ id: 1 }])
    await expect(run(database, 'TRUNCATE parts')).rejects.toThrow('append-only')
  })
  expect(second).toBe(first)
})

test.each([
  'ALTER TABLE things ADD COLUMN size int',
  'ALTER TABLE things ALTER COLUMN name SET NOT NULL',
  'ALTER TABLE things ADD CHECK (id > 0)',
  'ALTER TABLE things ADD COLUMN size int; ALTER TABLE things DROP COLUMN size',
  'CREATE INDEX ON things (name)',
  'DROP TABLE parts',
  'ALTER TABLE parts DISABLE TRIGGER append_only',
  'CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  'REVOKE ALL ON things FROM CURRENT_USER',
  "INSERT INTO things (name) VALUES ('one'); ANALYZE things",
  "INSERT INTO settings VALUES ('new')",
  "UPDATE settings SET name = 'other'",
])('a schema is not used again after %s', async (change) => {
  const changed = await nameAfter(async (database) => {
    for (const text of change.includes('$$') ? [change] : change.split(';')) await run(database, text)
  })
  expect(await nameAfter(async () => {})).not.toBe(changed)
})
