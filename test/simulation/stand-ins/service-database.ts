/** Stands in for `@financial-agents/postgres/service-database`: the tables in memory instead of PostgreSQL. */

import type { Database } from '@financial-agents/postgres/database'
import type { ServiceDatabaseOptions } from '@financial-agents/postgres/service-database'
import { getOpener } from '../virtual/current.ts'

export function openServiceDatabase({ name }: ServiceDatabaseOptions): Database {
  return getOpener().database(name)
}
