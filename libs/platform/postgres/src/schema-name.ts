/** Names of a service in PostgreSQL: its schema and its two roles. No other module builds these names. */

/**
 * The name of a service's schema and of the role of the running service. Dashes become underscores, so that the name
 * needs no quotes: `ops-console` becomes `ops_console`. Idempotent.
 */
export function schemaName(service: string): string {
  return service.replaceAll('-', '_')
}

/** The name of the role that owns a service's schema and everything in it. Only migrations log in as this role. */
export function ownerName(service: string): string {
  return `${schemaName(service)}_owner`
}
