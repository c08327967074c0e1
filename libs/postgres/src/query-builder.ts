/**
 * Writes the text of queries whose shape depends on the request; every other query is a named statement. It holds no
 * connection: what it compiled runs like any statement.
 */

import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Queryable } from './database.ts'

/** Queries over `Tables`, to be compiled and given to `rowsOf`. */
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

/** Runs what the query builder made. */
export function rowsOf<Row>(db: Queryable, query: Compilable<Row>): Promise<Row[]> {
  const { sql, parameters } = query.compile()
  return db.rows<Row>({ name: '', text: sql }, parameters)
}
