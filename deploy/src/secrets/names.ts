/** What the Secrets and their entries are called: the chart's default references and the manifests agree through it. */

import { schemaName } from '@financial-agents/postgres/schema-name'

/** The prefix where nobody chose another. */
export const defaultPrefix = 'financial-agents'

/** Of a component's own variables. */
export const serviceSecretName = (prefix: string, service: string) => `${prefix}-${service}`

/** Of the address of a schema with the role that owns it, for its migrations. */
export const migrationsSecretName = (prefix: string, service: string) => `${prefix}-${service}-migrations`

/** Of the user that makes the streams. */
export const provisionerSecretName = (prefix: string) => `${prefix}-provisioner`

/** Of the public keys that the NATS servers take from their environment. */
export const natsSecretName = (prefix: string) => `${prefix}-nats`

/** Of the verifiers that whoever makes the roles takes from the environment. */
export const postgresSecretName = (prefix: string) => `${prefix}-postgres`

const upper = (name: string) => name.replaceAll('-', '_').toUpperCase()

/** The variable with the public key of a user of NATS; the second is for its next key, while it is being rotated. */
export const publicKeyVariables = (user: string): [current: string, next: string] => [
  `NKEY_${upper(user)}`,
  `NKEY_${upper(user)}_NEXT`,
]

/** The variable with the verifier of a role of PostgreSQL, for example VERIFIER_OPS_CONSOLE_OWNER. */
export const verifierVariable = (role: string) => `VERIFIER_${upper(schemaName(role))}`
