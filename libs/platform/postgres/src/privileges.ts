/**
 * The rights of a service's role on the tables of its schema. The owner of the tables, which is the only role that
 * migrates, grants them again after each migration.
 *
 * Invariant: the service's role cannot change the structure of a table, and cannot rewrite append-only tables, even if
 * the service is compromised.
 */

import pg from 'pg'

/** A right on the rows of a table beside reading them. */
export type Writing = 'INSERT' | 'UPDATE' | 'DELETE'

/** Tables on which the service has fewer rights, each with all of its writing rights. */
export type Privileges = Readonly<Record<string, readonly Writing[]>>

/** The migrator's tables. The service's role has no rights on them. */
const ownersAlone = ['kysely_migration', 'kysely_migration_lock']

/** Grants all rights on the rows of a schema's tables to the role with the schema's name. */
function rowGrants(schema: string): string[] {
  const role = pg.escapeIdentifier(schema)
  return [
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${role} TO ${role}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${role} TO ${role}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${role} TO ${role}`,
  ]
}

/** The statements that set the rights of the role with the schema's name. The owner runs them in one transaction. */
export function privilegeStatements(schema: string, privileges: Privileges): string[] {
  const role = pg.escapeIdentifier(schema)
  const table = (name: string) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
  return [
    ...rowGrants(schema),
    ...ownersAlone.map((name) => `REVOKE ALL ON ${table(name)} FROM ${role}`),
    ...Object.entries(privileges).map(([name, writings]) => {
      const not = (['INSERT', 'UPDATE', 'DELETE'] as const).filter((writing) => !writings.includes(writing))
      return `REVOKE ${not.join(', ')} ON ${table(name)} FROM ${role}`
    }),
    revokeOnPartitions(schema),
  ]
}

/** Rows of a partition are written through its table, with the rights on that table. */
function revokeOnPartitions(schema: string): string {
  const literal = pg.escapeLiteral(schema)
  return `DO $do$ DECLARE partition regclass; BEGIN
  FOR partition IN SELECT oid::regclass FROM pg_class WHERE relnamespace = ${literal}::regnamespace AND relispartition AND relkind = 'r' LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %s FROM ${pg.escapeIdentifier(schema)}', partition);
  END LOOP;
END $do$`
}
