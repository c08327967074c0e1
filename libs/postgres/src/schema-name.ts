/** The one place that says what a service is called in PostgreSQL: its schema, and the two roles beside it. */

/**
 * The schema of a service, and the role that it runs as. A dash becomes an underscore, so that nobody has to quote the name:
 * `ops-console` has `ops_console`. Idempotent.
 */
export function schemaName(service: string): string {
  return service.replaceAll('-', '_')
}

/** The role that owns the schema of a service and everything in it; its migrations alone log in as this one. */
export function ownerName(service: string): string {
  return `${schemaName(service)}_owner`
}
