// Readiness of PostgreSQL: the superuser can connect and a query succeeds. An open port is not enough: a server that
// recovers from a crash already listens, but refuses every connection.

import { Client } from 'pg'
import { type ReadinessOptions, waitUntilReady } from './readiness.ts'
import { findVersion } from './versions.ts'

const CONNECT_TIMEOUT_MS = 2_000

/**
 * Waits until PostgreSQL answers at this address.
 * @returns its version.
 * @throws Error in one line, without the address, when it does not answer in time.
 */
export function askPostgresVersion(adminUrl: string, options: Omit<ReadinessOptions<string>, 'ask'>): Promise<string> {
  return waitUntilReady({
    ...options,
    ask: async () => {
      const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
      // A connection may break between two queries. The query fails anyway, and the event must not end the process.
      client.on('error', () => {})
      try {
        await client.connect()
        const { rows } = await client.query<{ server_version: string }>('show server_version')
        return findVersion(rows[0]?.server_version ?? '') ?? 'unknown'
      } finally {
        await client.end().catch(() => {})
      }
    },
  })
}
