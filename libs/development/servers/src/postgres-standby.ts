// A standby of a PostgreSQL server: a cluster of its own, which follows the server by streaming replication until it is
// promoted in the server's place.

import { appendFile, chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgresProxy } from './postgres-proxy.ts'
import type { User } from './unprivileged-user.ts'

const POLL_MS = 20

export type PostgresStandby = {
  /** The superuser's address of the standby itself; holds the password: never log it. */
  readonly adminUrl: string
  /**
   * Ends the replication. The standby has all that was committed before the call, and nothing that is committed after
   * its end.
   */
  fallBehind(): Promise<void>
  /** Promotes the standby, and lets the server's address lead to it. The server must have ended. */
  promote(): Promise<void>
}

/** Makes these data, which no server uses, those of a standby of the server at this address. */
export async function makeStandbyData(data: string, adminUrl: string, user: User | undefined): Promise<void> {
  const { hostname, port, username, password } = new URL(adminUrl)
  const address = `host=${hostname} port=${port} user=${username} password=${password}`
  // `fallBehind` changes this setting, so it must not be an argument.
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`)
  const signal = join(data, 'standby.signal')
  await writeFile(signal, '', { mode: 0o600 })
  if (user !== undefined) await chown(signal, user.uid, user.gid)
}

/** Waits until the standby at `adminUrl` streams from its server at `serverUrl`. */
export async function followServer(
  adminUrl: string,
  serverUrl: string,
): Promise<{ standby: PostgresStandby; close: () => Promise<void> }> {
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>> | undefined
  const until = (condition: string) => waitUntil(adminUrl, condition)
  await until(`EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming')`)
  const standby: PostgresStandby = {
    adminUrl,
    fallBehind: async () => {
      const [{ lsn } = { lsn: '' }] = await query<{ lsn: string }>(serverUrl, 'SELECT pg_current_wal_lsn() AS lsn')
      await until(`pg_last_wal_replay_lsn() >= '${lsn}'`)
      await query(adminUrl, `ALTER SYSTEM SET primary_conninfo = ''`)
      await query(adminUrl, 'SELECT pg_reload_conf()')
      await until('NOT EXISTS (SELECT FROM pg_stat_wal_receiver)')
    },
    promote: async () => {
      await query(adminUrl, 'SELECT pg_promote()')
      proxy = await startPostgresProxy(adminUrl, Number(new URL(serverUrl).port))
    },
  }
  return { standby, close: async () => proxy?.close() }
}

async function waitUntil(url: string, condition: string): Promise<void> {
  for (;;) {
    const [row] = await query<{ holds: boolean }>(url, `SELECT ${condition} AS holds`)
    if (row?.holds) return
    await delay(POLL_MS)
  }
}

async function query<Row extends object>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
