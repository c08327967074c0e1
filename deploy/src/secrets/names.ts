/** The names of Secrets and of their entries. The chart's default references and the manifests both use them. */

import { schemaName } from '@financial-agents/postgres/schema-name'

export const defaultPrefix = 'financial-agents'

/** The Secret with a component's own variables. */
export const serviceSecretName = (prefix: string, service: string) => `${prefix}-${service}`

/** The Secret with the database address for migrations, which log in as the role that owns the schema. */
export const migrationsSecretName = (prefix: string, service: string) => `${prefix}-${service}-migrations`

/** The Secret of the NATS user that creates the streams. */
export const provisionerSecretName = (prefix: string) => `${prefix}-provisioner`

/** The Secret with the public keys that the NATS servers read from their environment. */
export const natsSecretName = (prefix: string) => `${prefix}-nats`

/** The Secret with the verifiers that the roles script reads from its environment. */
export const postgresSecretName = (prefix: string) => `${prefix}-postgres`

const upper = (name: string) => name.replaceAll('-', '_').toUpperCase()

/** The second variable is the user's next key during a rotation. */
export const publicKeyVariables = (user: string): [current: string, next: string] => [
  `NKEY_${upper(user)}`,
  `NKEY_${upper(user)}_NEXT`,
]

/** The variable with the verifier of a PostgreSQL role, for example VERIFIER_OPS_CONSOLE_OWNER. */
export const verifierVariable = (role: string) => `VERIFIER_${upper(schemaName(role))}`
