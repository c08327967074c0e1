/**
 * Completes the contents of all Secrets of an installation. Existing values are kept. Dependent values (the public key
 * of a seed, the verifier of a password, the other copies of a shared key) are derived. Only the rest is new.
 *
 * Invariant: an existing value never changes here.
 */

import { createUserKey, publicKeyOf } from '@financial-agents/bus/nkey'
import { type UserName, userNames } from '@financial-agents/bus/topology'
import { createPasswordVerifier } from '@financial-agents/postgres/password-verifier'
import { ownerName, schemaName } from '@financial-agents/postgres/schema-name'
import type { Secrets } from './manifests.ts'
import {
  migrationsSecretName,
  natsSecretName,
  postgresSecretName,
  provisionerSecretName,
  publicKeyVariables,
  serviceSecretName,
  verifierVariable,
} from './names.ts'
import { type SecretOwner, type SecretVariable, schemaOwners, secretOwners, valueName, variablesOf } from './table.ts'
import { createKeyId, createPassword, createValue, isOwnKind } from './values.ts'

/** The address of PostgreSQL, as the services see it. */
export type PostgresAddress = {
  host: string
  port: number
  database: string
  sslmode: string
  /** The path in the containers of the certificates that sign the server's certificate. */
  caFile?: string | undefined
}

/** The options that differ between installations. */
export type InstallationOptions = {
  prefix: string
  postgres: PostgresAddress
  /** The console's client secret at the organisation's identity provider, if it has one. */
  operatorIdpClientSecret?: string | undefined
}

/**
 * Returns all contents, existing ones included.
 * @throws Error if two copies of one key differ. The error names the place, not the value.
 */
export function completeSecrets(existing: Secrets, options: InstallationOptions): Secrets {
  const { prefix } = options
  const complete: Secrets = new Map()
  const shared = readShared(existing, prefix)
  const id = createKeyId()
  const put = (secret: string, variable: string, make: () => string | undefined) => {
    const entries = complete.get(secret) ?? { ...existing.get(secret) }
    complete.set(secret, entries)
    const value = entries[variable] ?? make()
    if (value !== undefined) entries[variable] = value
    return entries[variable] as string
  }
  const makeOwn = (owner: SecretOwner, name: string, variable: SecretVariable) => {
    if (variable.kind === 'given') return options.operatorIdpClientSecret
    if (!isOwnKind(variable.kind) || variable.rotationOnly) return undefined
    const value = shared.get(valueName(owner, name, variable)) ?? createValue(variable.kind, id)
    shared.set(valueName(owner, name, variable), value)
    return value
  }
  for (const owner of secretOwners)
    for (const [name, variable] of variablesOf(owner))
      if (!['nkeySeed', 'databaseUrl'].includes(variable.kind))
        put(serviceSecretName(prefix, owner), name, () => makeOwn(owner, name, variable))
  for (const user of userNames) {
    const seed = put(seedSecretName(prefix, user), 'NATS_NKEY_SEED', () => createUserKey().seed)
    const [current, next] = publicKeyVariables(user)
    put(natsSecretName(prefix), current, () => publicKeyOf(seed))
    // Nobody has the seed of this key.
    put(natsSecretName(prefix), next, () => createUserKey().publicKey)
  }
  for (const service of schemaOwners) {
    const roles = [
      [schemaName(service), serviceSecretName(prefix, service)],
      [ownerName(service), migrationsSecretName(prefix, service)],
    ] as const
    for (const [role, secret] of roles) {
      const url = put(secret, 'DATABASE_URL', () => databaseUrl(options.postgres, role))
      put(postgresSecretName(prefix), verifierVariable(role), () => createPasswordVerifier(passwordOf(url)))
    }
  }
  return complete
}

/**
 * Returns a Secret whose database address differs from the given one. Otherwise a corrected address would seem to be
 * accepted.
 */
export function findOtherAddress(existing: Secrets, { postgres }: InstallationOptions): string | undefined {
  const given = addressOf(databaseUrl(postgres, 'any'))
  for (const [name, { DATABASE_URL }] of existing)
    if (DATABASE_URL !== undefined && addressOf(DATABASE_URL) !== given) return name
  return undefined
}

function addressOf(url: string): string {
  const { host, pathname, search } = new URL(url)
  return `${host}${pathname}${search}`
}

export function seedSecretName(prefix: string, user: UserName): string {
  return user === 'provisioner' ? provisionerSecretName(prefix) : serviceSecretName(prefix, user)
}

/** Reads the existing shared keys, so that a component that is added later gets the same keys. */
function readShared(existing: Secrets, prefix: string): Map<string, string> {
  const shared = new Map<string, string>()
  for (const owner of secretOwners) {
    for (const [name, variable] of variablesOf(owner)) {
      const value = existing.get(serviceSecretName(prefix, owner))?.[name]
      if (value === undefined || !isOwnKind(variable.kind)) continue
      const key = valueName(owner, name, variable)
      if ((shared.get(key) ?? value) !== value)
        throw new Error(`${name} of ${owner} is not that of the others who share it: make them equal first`)
      shared.set(key, value)
    }
  }
  return shared
}

function databaseUrl({ host, port, database, sslmode, caFile }: PostgresAddress, role: string): string {
  const url = new URL(`postgres://${host}:${port}/${encodeURIComponent(database)}`)
  url.username = role
  url.password = createPassword()
  url.searchParams.set('sslmode', sslmode)
  if (caFile !== undefined) url.searchParams.set('sslrootcert', caFile)
  return url.href
}

function passwordOf(url: string): string {
  return decodeURIComponent(new URL(url).password)
}
