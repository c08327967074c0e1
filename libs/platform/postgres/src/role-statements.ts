/**
 * The statements that create the roles and schemas; each is idempotent. `provisionRoles` runs them, and the script for
 * psql is generated from them, so that the rights are defined once.
 *
 * Invariant: afterwards a role has exactly these rights, whatever it had before. No statement contains a password.
 */

import pg from 'pg'
import { ownerName, schemaName } from './schema-name.ts'

/** Verifiers and limits are SQL: literals, or variables of psql. */
export type SchemaRoles = {
  service: string
  verifier: string
  ownerVerifier: string
  /** The connection limit of the service, over all replicas. */
  connectionLimit: string
  /**
   * The connection limit of migrations; by default 16. A job needs two, and jobs of several replicas may run at the
   * same time.
   */
  ownerConnectionLimit?: number
}

const usualOwnerLimit = 16

const { escapeIdentifier: identifier, escapeLiteral: literal } = pg

/** Statements for the database: only roles with a grant may connect to it or create objects in it. */
export function databaseStatements(database: string): string[] {
  return ['REVOKE ALL ON SCHEMA public FROM PUBLIC', `REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`]
}

/** Statements for the schema and its two roles. `database` is SQL: a quoted name or a variable of psql. */
export function schemaStatements(database: string, roles: SchemaRoles): string[] {
  const plain = { runtime: schemaName(roles.service), owner: ownerName(roles.service) }
  const schema = identifier(plain.runtime)
  const runtime = schema
  const owner = identifier(plain.owner)
  const both = `${literal(plain.runtime)}, ${literal(plain.owner)}`
  const attributes = 'LOGIN NOCREATEDB NOCREATEROLE NOINHERIT'
  const byDefault = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner}`
  return [
    block(`FOR name IN SELECT unnest(ARRAY[${both}]) EXCEPT SELECT rolname FROM pg_roles LOOP
    EXECUTE format('CREATE ROLE %I', name);
  END LOOP;`),
    `ALTER ROLE ${owner} ${attributes} CONNECTION LIMIT ${roles.ownerConnectionLimit ?? usualOwnerLimit} PASSWORD ${roles.ownerVerifier}`,
    `ALTER ROLE ${runtime} ${attributes} CONNECTION LIMIT ${roles.connectionLimit} PASSWORD ${roles.verifier}`,
    // Runs only for roles that have such an attribute: only a superuser may name these attributes, even to remove them.
    block(`FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN (${both}) AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN (${both}) LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;`),
    // A superuser may act as any role. Any other administrator must be a member of both roles.
    block(`IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT ${owner}, ${runtime} TO CURRENT_USER;
  END IF;`),
    `GRANT CONNECT ON DATABASE ${database} TO ${runtime}, ${owner}`,
    `CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${owner}`,
    `ALTER SCHEMA ${schema} OWNER TO ${owner}`,
    `REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC, ${runtime}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${runtime}`,
    // By default PostgreSQL lets everybody execute a new function.
    `${byDefault} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`,
    `${byDefault} IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${runtime}`,
    `${byDefault} IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${runtime}`,
    `${byDefault} IN SCHEMA ${schema} GRANT EXECUTE ON FUNCTIONS TO ${runtime}`,
  ]
}

/** Wraps statements into one anonymous block (DO). psql does not replace its variables inside the block. */
function block(body: string): string {
  return `DO $do$ DECLARE name text; other text; BEGIN\n  ${body}\nEND $do$`
}
