/**
 * Migrations of one schema, run by Kysely's migrator: each once, in the order of their names, under its advisory lock,
 * so that replicas may start at the same time. Expand and contract only; there is no way down.
 */

import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'

/** The migrations of a schema by name, for example `0001_init`. A static map: what runs is what is imported. */
export type Migrations = Readonly<Record<string, Migration>>

/** A migration made of plain SQL. */
export function sqlMigration(text: string): Migration {
  return {
    up: async (db) => {
      await sql.raw(text).execute(db)
    },
  }
}

/**
 * Brings `schema` up to date as the role that owns it. Idempotent.
 * @throws the failing migration's error, with its name in the message
 */
export async function migrate(options: {
  connectionString: string
  schema: string
  migrations: Migrations
}): Promise<string[]> {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    options: `-c search_path=${options.schema}`,
    max: 2,
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...options.migrations }) },
      migrationTableSchema: options.schema,
    })
    const { error, results } = await migrator.migrateToLatest()
    const failed = results?.find((result) => result.status === 'Error')
    if (error)
      throw new Error(`migration ${failed?.migrationName ?? '(start)'} of ${options.schema} failed`, { cause: error })
    return results?.map((result) => result.migrationName) ?? []
  } finally {
    await db.destroy()
  }
}
