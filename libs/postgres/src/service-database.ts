/** The database of a service, from its configuration: the counterpart of `connectBus`. */

import type { Log } from '@financial-agents/runtime/log'
import { type Database, openDatabase } from './database.ts'
import { schemaName } from './schema-name.ts'

/** What a service's pool is opened with. */
export type ServiceDatabaseOptions = {
  /** `databaseConfig` of runtime/config. */
  config: { DATABASE_URL: string; DATABASE_MAX_CONNECTIONS: number }
  /** The service's name: its role and, but in tests, its schema are called so too (`schemaName`). */
  name: string
  schema?: string | undefined
  /** For a pool beside the service's own: its time-out, and its name in the metrics. */
  statementTimeoutMs?: number
  pool?: string
  /** Hears of broken idle connections, which the pool replaces. */
  log: Log
}

/** Opens the service's pool. Connections are made when first needed. */
export function openServiceDatabase({
  config,
  name,
  schema = schemaName(name),
  statementTimeoutMs,
  pool = name,
  log,
}: ServiceDatabaseOptions): Database {
  return openDatabase({
    connectionString: config.DATABASE_URL,
    applicationName: name,
    pool,
    schema,
    maxConnections: config.DATABASE_MAX_CONNECTIONS,
    statementTimeoutMs,
    onError: (error) => log.warn({ err: error }, 'an idle connection to PostgreSQL broke'),
  })
}
