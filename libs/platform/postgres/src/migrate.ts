/**
 * Migrates one schema with Kysely's migrator. Each migration runs once, in the order of the names, under the migrator's
 * advisory lock, so replicas may start at the same time. Migrations only expand and contract; there is no way down.
 * After a rollback, an older version finds a newer schema and leaves it as it is.
 */

import { type Command, messageOf } from '@financial-agents/runtime/command'
import { databaseConfig, databaseUrlConfig, readConfig } from '@financial-agents/runtime/config'
import { type DatabaseIntrospector, Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { makeFirstMonths } from './months.ts'
import { type Privileges, privilegeStatements } from './privileges.ts'
import { whileOthersChangeRoles } from './provision.ts'
import { schemaName } from './schema-name.ts'

const lockPatience = '10s'

export type SqlMigration = Migration & { readonly text: string }

/**
 * The migrations of a schema by name, for example `0001_init`. The map is static: exactly the imported migrations run.
 */
export type Migrations = Readonly<Record<string, SqlMigration>>

/**
 * A migration of plain SQL. It waits a limited time for a table lock, and then fails: later statements queue behind the
 * waiting migration, so that one forgotten session would stop the service.
 */
export function sqlMigration(text: string): SqlMigration {
  return {
    text,
    up: async (db) => {
      await sql`SET LOCAL lock_timeout = ${sql.lit(lockPatience)}`.execute(db)
      await sql.raw(text).execute(db)
    },
  }
}

/**
 * Migrates `schema` as the role that owns it. Afterwards it grants the service's role, which has the schema's name, its
 * rights on the tables again: all of DML, or less if `privileges` says so. Idempotent.
 * @throws an error that names the failed migration and the reason
 */
export async function migrate(options: {
  connectionString: string
  schema: string
  migrations: Migrations
  privileges?: Privileges
}): Promise<string[]> {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    options: `-c search_path=${options.schema}`,
    max: 2,
  })
  const db = new Kysely<unknown>({ dialect: new OneSchemaDialect({ pool }) })
  let newer: string[] = []
  try {
    const migrator = new Migrator({
      db,
      // Called while the migrator holds its lock, when the table of executed migrations exists.
      provider: {
        getMigrations: async () => {
          newer = await findNewerMigrations(db, options)
          return { ...options.migrations, ...Object.fromEntries(newer.map((name) => [name, hasRun])) }
        },
      },
      migrationTableSchema: options.schema,
    })
    const { error, results } = await migrator.migrateToLatest()
    const failed = results?.find((result) => result.status === 'Error')
    if (error) {
      const name = failed?.migrationName ?? '(start)'
      throw new Error(`migration ${name} of ${options.schema} failed: ${messageOf(error)}`, { cause: error })
    }
    // A newer version may have tables that are append-only, which this version does not know. It leaves the rights as
    // they are.
    if (newer.length === 0) await whileOthersChangeRoles(() => grant(db, options.schema, options.privileges ?? {}))
    return results?.map((result) => result.migrationName) ?? []
  } finally {
    await db.destroy()
  }
}

/**
 * Gives the migrator only the names of the current schema's tables, which are all that it needs. Kysely's own
 * introspector reads every column of every schema, and fails if another schema is dropped at that moment.
 */
class OneSchemaDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return {
      getSchemas: async () => (await sql<{ name: string }>`SELECT current_schema() AS name`.execute(db)).rows,
      getTables: async () => {
        const tables = await sql<{ schema: string; name: string }>`
          SELECT schemaname AS schema, tablename AS name FROM pg_tables WHERE schemaname = current_schema()`.execute(db)
        return tables.rows.map((table) => ({ ...table, isView: false, isForeign: false, columns: [] }))
      },
    }
  }
}

const hasRun: Migration = { up: async () => {} }

/**
 * Finds the migrations that a newer version of the service has executed: their names sort after all of ours. Kysely
 * refuses any other unknown migration.
 */
async function findNewerMigrations(
  db: Kysely<unknown>,
  { schema, migrations }: { schema: string; migrations: Migrations },
): Promise<string[]> {
  const last = Object.keys(migrations).toSorted().at(-1) ?? ''
  const executed = await sql<{ name: string }>`SELECT name FROM ${sql.table(`${schema}.kysely_migration`)}`.execute(db)
  return executed.rows.map(({ name }) => name).filter((name) => name > last)
}

async function grant(db: Kysely<unknown>, schema: string, privileges: Privileges): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`privileges of ${schema}`}))`.execute(tx)
    for (const statement of privilegeStatements(schema, privileges)) await sql.raw(statement).execute(tx)
  })
}

/** The schema has the service's name (`schemaName`), and DATABASE_URL is the URL of the schema's owner. */
export function migrateCommand(service: string, migrations: Migrations, privileges: Privileges = {}): Command {
  return {
    summary: 'bring the schema up to date',
    config: databaseUrlConfig,
    run: async ({ environment }) => {
      const { DATABASE_URL } = readConfig(databaseConfig, environment)
      const done = await migrate({
        connectionString: DATABASE_URL,
        schema: schemaName(service),
        migrations,
        privileges,
      })
      await makeFirstMonths(DATABASE_URL, schemaName(service))
      return [`${service}: ${done.length === 0 ? 'up to date' : `migrated ${done.join(', ')}`}`]
    },
  }
}
