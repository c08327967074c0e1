/**
 * What the role that a service runs as may do with the tables of its schema. The role that owns them, which alone migrates, says
 * it after each migration anew.
 *
 * Invariant: it never changes what a table is, and what is named append-only it cannot rewrite, however it was broken into.
 */

import pg from 'pg'

/** What may be done with the rows of a table beside reading them. */
export type Writing = 'INSERT' | 'UPDATE' | 'DELETE'

/** Tables of which less than everything is written, each with all that is. */
export type Privileges = Readonly<Record<string, readonly Writing[]>>

/** Which migrations have run is none of the service's business. */
const ownersAlone = ['kysely_migration', 'kysely_migration_lock']

/** Everything that may be done with the rows of a schema's tables, for the role that is called as the schema is. */
export function rowGrants(schema: string): string[] {
  const role = pg.escapeIdentifier(schema)
  return [
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${role} TO ${role}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${role} TO ${role}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${role} TO ${role}`,
  ]
}

/** The statements for the role that is called as the schema is, to be run in one transaction as its owner. */
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
  ]
}
