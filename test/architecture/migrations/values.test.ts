/** The newest schema accepts exactly the values that the code uses. A new state without a migration fails here. */

import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { describe, expect, test } from 'vitest'
import { liveExpressions, liveValues } from './live-values.ts'
import { listServiceMigrations } from './services.ts'

/** Checks and generated columns of tables; partitions have those of their table. A check of a single column is named by that column, any other by its own name. */
const expressionsOf = statement(
  'expressions_of_schema',
  `SELECT c.conrelid::regclass::text AS table, pg_get_constraintdef(c.oid) AS expression,
     CASE WHEN cardinality(c.conkey) = 1 THEN a.attname ELSE c.conname END AS name, cardinality(c.conkey) = 1 AS is_list
   FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
   JOIN pg_class t ON t.oid = c.conrelid AND NOT t.relispartition
   WHERE c.contype = 'c' AND c.connamespace = $1::regnamespace
   UNION ALL
   SELECT a.attrelid::regclass::text, pg_get_expr(d.adbin, d.adrelid), a.attname, false
   FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum AND a.attgenerated <> ''
   JOIN pg_class c ON c.oid = a.attrelid AND NOT c.relispartition
   WHERE c.relnamespace = $1::regnamespace`,
)

type Expression = { table: string; name: string; expression: string; is_list: boolean }

/** Returns the texts in an expression's lists; undefined if it has none. PostgreSQL writes `IN` as `= ANY (ARRAY[…])`. */
function valuesIn(expression: string): string[] | undefined {
  const lists = [...expression.matchAll(/ARRAY\[([^\]]*)\]/g)].map(([, list]) => list as string)
  const texts = lists.flatMap((list) => [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, text]) => text as string))
  return texts.length === 0 ? undefined : texts.toSorted()
}

async function collect(
  db: Database,
  service: string,
  schema: string,
): Promise<Record<'lists' | 'expressions', Record<string, string[]>>> {
  const found: Record<'lists' | 'expressions', Record<string, string[]>> = { lists: {}, expressions: {} }
  for (const { table, name, expression, is_list } of await db.rows<Expression>(expressionsOf, [schema])) {
    const values = valuesIn(expression)
    if (values) found[is_list ? 'lists' : 'expressions'][`${service}.${table}.${name}`] = values
  }
  return found
}

/** Returns the rows of one service, with each list sorted. */
const ofService = (all: Readonly<Record<string, readonly string[]>>, service: string) =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([key]) => key.startsWith(`${service}.`))
      .map(([key, values]) => [key, values.toSorted()]),
  )

const advice =
  'the code and the newest schema name different values: write a new migration for the new value, and complete live-values.ts'

describe.each(await listServiceMigrations())('the newest schema of $service', ({ service, migrations }) => {
  test('accepts exactly the values that the code uses', async () => {
    const database = await createTestDatabase({ service, migrations })
    const { lists, expressions } = await collect(database.open(1), service, database.schema)
    await database.close()
    expect(lists, advice).toEqual(ofService(liveValues, service))
    expect(expressions, advice).toEqual(ofService(liveExpressions, service))
  })
})

test('a list is read from every form in which PostgreSQL shows it', () => {
  expect(valuesIn("CHECK ((state = ANY (ARRAY['b'::text, 'a'::text])))")).toEqual(['a', 'b'])
  expect(valuesIn("(state <> ALL (ARRAY['a'::text]))")).toEqual(['a'])
  expect(valuesIn("CHECK (((a IS NULL) OR (state = ANY (ARRAY['it''s'::text]))))")).toEqual(["it''s"])
  expect(valuesIn('CHECK ((sequence = ANY (ARRAY[(base + 1), (base + 2)])))')).toBeUndefined()
  expect(valuesIn("CHECK ((state <> 'draft'::text))")).toBeUndefined()
})
