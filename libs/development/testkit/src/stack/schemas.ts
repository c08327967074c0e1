/** The schemas of a stack's services: their roles, and the data of a PostgreSQL in which they are already migrated. */

import { schemaOwners } from '@financial-agents/deploy/secrets/table'
import { createPassword } from '@financial-agents/deploy/secrets/values'
import { ownerUrl, provisionRoles, type ServiceRoles } from '@financial-agents/postgres/provision'
import type { PostgresData } from '@financial-agents/servers/postgres-server'

type SchemaOwner = (typeof schemaOwners)[number]

export type SchemaRoles = ServiceRoles & { service: SchemaOwner }

export type MigratedDatabase = { data: PostgresData; roles: readonly SchemaRoles[] }

/**
 * Creates the roles and the schemas, and runs the migrations of every service.
 *
 * @param migrate runs a service's `migrate` command with this environment
 */
export async function createSchemas(
  adminUrl: string,
  migrate: (service: SchemaOwner, environment: { DATABASE_URL: string }) => Promise<unknown>,
): Promise<SchemaRoles[]> {
  const roles = schemaOwners.map((service) => ({
    service,
    password: createPassword(),
    ownerPassword: createPassword(),
  }))
  await provisionRoles(adminUrl, roles)
  await Promise.all(roles.map((role) => migrate(role.service, { DATABASE_URL: ownerUrl(adminUrl, role) })))
  return roles
}
