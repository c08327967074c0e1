/**
 * Builds the text of queries whose shape depends on the request. All other queries are named statements. The builder
 * has no connection: a compiled query runs like any statement.
 */

import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Queryable } from './database.ts'

/** A builder of queries over `Tables`, which `rowsOf` runs. */
export function createQueryBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Unconnected(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

class Unconnected extends DummyDriver {
  override async acquireConnection(): Promise<never> {
    throw new Error('the query builder only writes queries: run them by rowsOf')
  }
}

type Compilable<Row> = { compile(): { sql: string; parameters: readonly unknown[] }; execute(): Promise<Row[]> }

/** Runs a query of the builder. */
export function rowsOf<Row>(db: Queryable, query: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile()
  return db.rows<Row>({ name: '', text: sql }, parameters)
}
