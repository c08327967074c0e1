/** Opens the database of a service from its configuration, as `connectBus` does for the bus. */

import type { Log } from '@financial-agents/runtime/log'
import { type Database, openDatabase } from './database.ts'
import { schemaName } from './schema-name.ts'

export type ServiceDatabaseOptions = {
  /** The values of `databaseConfig` of runtime/config. */
  config: { DATABASE_URL: string; DATABASE_MAX_CONNECTIONS: number }
  /** The service's name. Its role has this name, and except in tests its schema too (`schemaName`). */
  name: string
  schema?: string | undefined
  /** For a second pool beside the service's own: its statement time-out, and its name in the metrics. */
  statementTimeoutMs?: number
  pool?: string
  /** Logs broken idle connections, which the pool replaces. */
  log: Log
}

/** The pool makes connections when they are first needed. */
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
