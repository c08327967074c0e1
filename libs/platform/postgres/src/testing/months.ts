/** Months of the past, for tests of the archive: PostgreSQL's time cannot be moved. */

import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Begins the months of an empty schema some months ago, in place of those that `migrate` makes. */
export async function beginMonthsAgo(connectionString: string, schema: string, ago: number): Promise<void> {
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      String.raw`SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relispartition AND relname ~ '_\d{4}_\d\d$' AND relkind = 'r'`,
    )
    for (const { name } of rows) await client.query(`DROP TABLE ${client.escapeIdentifier(name)}`)
    await client.query('UPDATE month_tables SET began = $1, until = $1', [monthStart(ago)])
    await client.query('SELECT make_months()')
  } finally {
    await client.end()
  }
}

/** The start of the month some months ago (UTC). */
export function monthStart(ago: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1))
}

/** The name of a month, as the archive writes it. */
export function monthName(ago: number): string {
  return monthStart(ago).toISOString().slice(0, 7)
}

/** A UUID of version 7, as a service generates it at this time. */
export function idAt(time: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(time.getTime(), 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
