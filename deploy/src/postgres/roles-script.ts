/**
 * Generates the psql script that creates all roles and schemas: the statements of `provisionRoles`, with the verifiers
 * from the environment. The script holds no secret, may run again at any time, and runs in one transaction.
 */

import { databaseStatements, schemaStatements } from '@financial-agents/postgres/role-statements'
import { ownerName, schemaName } from '@financial-agents/postgres/schema-name'
import { verifierVariable } from '../secrets/names.ts'
import { schemaOwners } from '../secrets/table.ts'

const head = `-- Written by \`pnpm gen\` from libs/platform/postgres/src/role-statements.ts; change it there.
--
-- Makes a schema and two roles for every service: <schema>_owner owns it and migrates, <schema> is what the service runs as.
-- For psql 14 or newer, as a superuser (or as the owner of the database who may create roles), connected to the database
-- of the installation. Passwords do not appear here, nor in the server's log: the environment holds their SCRAM verifiers, as
-- \`pnpm create-secrets\` wrote them. CONNECTION_LIMIT is for each service, all replicas together.

\\set ON_ERROR_STOP on
\\set connection_limit 64
\\getenv connection_limit CONNECTION_LIMIT
`

const database = ':"DBNAME"'

/** Reads the verifiers into psql variables. The variables have the names of the roles. */
function readVerifiers(): string[] {
  const roles = schemaOwners.flatMap((service) => [schemaName(service), ownerName(service)])
  return roles.map((role) => `\\getenv ${role} ${verifierVariable(role)}`)
}

/**
 * Checks that every verifier is set. psql would leave an unset variable in the text, and PostgreSQL would report a
 * syntax error.
 */
function checkVerifiers(): string[] {
  const roles = schemaOwners.flatMap((service) => [schemaName(service), ownerName(service)])
  return roles.map(
    (role) =>
      `\\if :{?${role}} \\else
DO $do$ BEGIN RAISE EXCEPTION '${verifierVariable(role)} is not set'; END $do$;
\\endif`,
  )
}

export function rolesScript(): string {
  const statements = schemaOwners.flatMap((service) => [
    `-- ${service}`,
    ...schemaStatements(database, {
      service,
      verifier: `:'${schemaName(service)}'`,
      ownerVerifier: `:'${ownerName(service)}'`,
      connectionLimit: ':connection_limit',
    }).map((statement) => `${statement};`),
    '',
  ])
  return [
    head,
    ...readVerifiers(),
    '',
    ...checkVerifiers(),
    '',
    'SET client_min_messages = warning;',
    'BEGIN;',
    "SELECT pg_advisory_xact_lock(hashtext('provision_roles')) \\g /dev/null",
    ...databaseStatements(database).map((statement) => `${statement};`),
    '',
    ...statements,
    'COMMIT;',
  ].join('\n')
}
