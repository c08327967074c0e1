/** Finds the migrations of every service that has a schema. */

import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'

export const root = join(import.meta.dirname, '../../..')

/** The migrations of one service, as its command `migrate` runs them. */
export type ServiceMigrations = {
  service: string
  migrations: Migrations
  /** Absent if the service may change every row of every table. */
  privileges?: Privileges
}

/** Lists the services with a schema, ordered by name. */
export async function listServiceMigrations(): Promise<ServiceMigrations[]> {
  const files = globSync('services/*/src/migrations.ts', { cwd: root }).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const content = (await import(join(root, file))) as Omit<ServiceMigrations, 'service'>
      return { ...content, service: file.split('/')[1] as string }
    }),
  )
}
