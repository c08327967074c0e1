/** Reads rows as JSON text, in order and within bounded memory. json values keep their text. */

import pg from 'pg'

const perFetch = 2_000

/** Ids from `from_id` on and before `until_id`. */
export type Range = { from_id: string; until_id: string }

/**
 * A condition on the key for the ids of a range, as SQL without parameters: the declaration of the cursor takes none.
 */
export function within(key: string, { from_id, until_id }: Range): string {
  const column = pg.escapeIdentifier(key)
  return `${column} >= ${pg.escapeLiteral(from_id)}::uuid AND ${column} < ${pg.escapeLiteral(until_id)}::uuid`
}

/** Yields each row as one JSON text. Generated columns are not included: they follow from the others. */
export async function* readRows(
  client: pg.Client,
  options: { table: string; condition: string; order: string; omitted: readonly string[] },
): AsyncGenerator<string> {
  const table = pg.escapeIdentifier(options.table)
  const { rows: columns } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '' AND attname <> ALL ($2) ORDER BY attnum`,
    [table, options.omitted],
  )
  const list = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    await client.query(
      `DECLARE archived NO SCROLL CURSOR FOR SELECT row_to_json(line)::text AS line
       FROM (SELECT ${list} FROM ${table} WHERE ${options.condition} ORDER BY ${options.order}) line`,
    )
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`FETCH ${perFetch} FROM archived`)
      for (const { line } of rows) yield line
      if (rows.length < perFetch) break
    }
  } finally {
    await client.query('ROLLBACK')
  }
}
