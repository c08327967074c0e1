/**
 * The statements that make the roles and schemas, each idempotent. `provisionRoles` runs them and the script for psql is written
 * from them, so that there is one truth about who may do what.
 *
 * Invariant: whatever a role was before, afterwards it has these rights and no more; no statement holds a password.
 */

import pg from 'pg'
import { rowGrants } from './privileges.ts'
import { ownerName, schemaName } from './schema-name.ts'

/** The roles of one schema. Verifiers and the limit are SQL: literals, or variables of psql. */
export type SchemaRoles = {
  service: string
  verifier: string
  ownerVerifier: string
  /** Connections of the service, all replicas together. */
  connectionLimit: string
  /** Migrations take two for a job, and jobs of several replicas may run beside each other: 16. */
  ownerConnectionLimit?: number
}

const usualOwnerLimit = 16

const { escapeIdentifier: identifier, escapeLiteral: literal } = pg

/** What holds for the database: nobody connects to it and nobody makes anything in it but who is let. */
export function databaseStatements(database: string): string[] {
  return ['REVOKE ALL ON SCHEMA public FROM PUBLIC', `REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`]
}

/** Makes both roles of a schema and the schema what they are to be. `database` is SQL: a quoted name or a variable of psql. */
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
    // Asked first, because none but a superuser may even say it.
    block(`FOR name IN SELECT rolname FROM pg_roles
    WHERE rolname IN (${both}) AND (rolsuper OR rolreplication OR rolbypassrls) LOOP
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOREPLICATION NOBYPASSRLS', name);
  END LOOP;
  FOR name, other IN SELECT m.rolname, g.rolname FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid WHERE m.rolname IN (${both}) LOOP
    EXECUTE format('REVOKE %I FROM %I', other, name);
  END LOOP;`),
    // A superuser is everybody; another administrator has to be let.
    block(`IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    GRANT ${owner}, ${runtime} TO CURRENT_USER;
  END IF;`),
    `GRANT CONNECT ON DATABASE ${database} TO ${runtime}, ${owner}`,
    `CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${owner}`,
    `ALTER SCHEMA ${schema} OWNER TO ${owner}`,
    `REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC, ${runtime}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${runtime}`,
    // PostgreSQL lets everybody execute, and so see, every new function.
    `${byDefault} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`,
    `${byDefault} IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${runtime}`,
    `${byDefault} IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${runtime}`,
    `${byDefault} IN SCHEMA ${schema} GRANT EXECUTE ON FUNCTIONS TO ${runtime}`,
    // Once the service owned its schema itself. Its processes go on; the next migration takes back what they have no need of.
    block(`IF EXISTS (SELECT FROM pg_class WHERE relowner = ${literal(plain.runtime)}::regrole) THEN
    REASSIGN OWNED BY ${runtime} TO ${owner};
    ${rowGrants(plain.runtime).join(';\n    ')};
  END IF;`),
  ]
}

/** One statement of several, also where there are no variables of psql. */
function block(body: string): string {
  return `DO $do$ DECLARE name text; other text; BEGIN\n  ${body}\nEND $do$`
}
