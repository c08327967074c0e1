/** Reads and writes the schema of authz, for facts without a route: operators' actions, stored values, the audit. */

import pg from 'pg'
import { environment } from './environment.ts'

export async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: environment().authzDatabaseUrl })
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end()
  }
}

export type AuditRow = { event: string; client_id: string; grant_id: string | null; detail: object } & Record<
  string,
  unknown
>

export const auditOf = (clientId: string): Promise<AuditRow[]> =>
  query<AuditRow>('SELECT * FROM audit WHERE client_id = $1 ORDER BY id', [clientId])
