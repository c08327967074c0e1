/** Areas with writes have the tables that the tests of `libs/frame/writes` use. */

import { statement } from '@financial-agents/postgres/database'
import { migrate, sqlMigration } from '@financial-agents/postgres/migrate'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { writesTables } from '@financial-agents/writes/testing/tables'
import { describe, expect, test } from 'vitest'
import { describeSchema } from './describe-schema.ts'
import { listServiceMigrations, type ServiceMigrations } from './services.ts'

const all = await listServiceMigrations()

/** Describes a new installation of a service. */
async function describeNew({ service, migrations, privileges }: ServiceMigrations): Promise<string[]> {
  const database = await createTestDatabase({ service, migrations: {} })
  const { connectionString, schema } = database
  try {
    await migrate({ connectionString, schema, migrations, ...(privileges && { privileges }) })
    return await describeSchema(connectionString, schema)
  } finally {
    await database.close()
  }
}

describe('the tables of libs/frame/writes', () => {
  const ofWrites = (facts: readonly string[]) =>
    facts.filter((fact) => /"(relname|definition)": "[^"]*\b(writes|parked_events)\b/.test(fact))
  const area: ServiceMigrations = { service: 'writes', migrations: { '0001_init': sqlMigration(writesTables) } }

  test.each(all)('are in $service as they are tested, if it has any', async (each) => {
    const wanted = ofWrites(await describeNew(area))
    const found = ofWrites(await describeNew(each))
    expect(wanted.length).toBeGreaterThan(30)
    if (found.some((fact) => fact.includes('"relname": "writes"')))
      expect(found, 'a change of libs/frame/writes/src/testing/tables.ts is a new migration of this service').toEqual(
        wanted,
      )
  })
})

/** Each statement changes a different part of a schema. */
const changes = [
  'ALTER TABLE things ADD COLUMN more int',
  'ALTER TABLE things ALTER COLUMN name SET NOT NULL',
  "ALTER TABLE things ALTER COLUMN name SET DEFAULT 'x'",
  'ALTER TABLE things ALTER COLUMN name SET STORAGE EXTERNAL',
  'ALTER TABLE things SET (fillfactor = 60)',
  'ALTER TABLE things ADD CONSTRAINT short CHECK (length(name) < 9) NOT VALID',
  'ALTER TABLE things VALIDATE CONSTRAINT short',
  'CREATE INDEX things_by_name ON things (name)',
  'ALTER INDEX things_by_name RENAME TO things_named',
  'CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  'CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$',
  'CREATE TRIGGER never BEFORE DELETE ON things FOR EACH ROW EXECUTE FUNCTION refuse()',
  'ALTER TABLE things DISABLE TRIGGER never',
  'GRANT EXECUTE ON FUNCTION refuse() TO PUBLIC',
  'GRANT SELECT ON things TO PUBLIC',
  'CREATE SEQUENCE numbers',
  'ALTER SEQUENCE numbers INCREMENT 2',
  "CREATE TYPE mood AS ENUM ('glad')",
  "ALTER TYPE mood ADD VALUE 'sad'",
  'CREATE VIEW names AS SELECT name FROM things',
  'CREATE POLICY mine ON things USING (true)',
  'ALTER TABLE things ENABLE ROW LEVEL SECURITY',
  'CREATE STATISTICS pairs ON id, name FROM things',
  'CREATE RULE quiet AS ON UPDATE TO things DO ALSO NOTHING',
  "INSERT INTO things VALUES (1, 'one')",
]

test('the description of a schema shows every change', async () => {
  const things = sqlMigration('CREATE TABLE things (id int PRIMARY KEY, name text)')
  const database = await createTestDatabase({ service: 'things', migrations: { '0001_init': things } })
  const { connectionString, schema } = database
  const db = database.open(1)
  let last = await describeSchema(connectionString, schema)
  for (const [index, change] of changes.entries()) {
    await db.rows(statement(`change_${index}`, change))
    const now = await describeSchema(connectionString, schema)
    expect(now, change).not.toEqual(last)
    last = now
  }
  await database.close()
})
