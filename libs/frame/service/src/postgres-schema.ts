/** The PostgreSQL schema in a service's definition. */

import { type Migrations, migrateCommand } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import type { databaseConfig } from '@financial-agents/runtime/config'
import type { z } from 'zod'
import type { DatabaseSchema } from './service.ts'

/** `privileges` restrict the service's rights on its tables. */
export function postgresSchema(
  migrations: Migrations,
  privileges?: Privileges,
): DatabaseSchema<z.output<typeof databaseConfig>> {
  return {
    open: ({ maxConnections, config, ...options }) =>
      openServiceDatabase({
        ...options,
        config: { ...config, DATABASE_MAX_CONNECTIONS: maxConnections ?? config.DATABASE_MAX_CONNECTIONS },
      }),
    migrate: (service) => migrateCommand(service, migrations, privileges),
  }
}
