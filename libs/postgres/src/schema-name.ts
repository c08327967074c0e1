/** The one place that says what a service is called in PostgreSQL: its schema and its role, beside each other. */

/**
 * The schema and the role of a service. A dash becomes an underscore, so that nobody has to quote the name: `ops-console`
 * owns `ops_console`. Idempotent.
 */
export function schemaName(service: string): string {
  return service.replaceAll('-', '_')
}
