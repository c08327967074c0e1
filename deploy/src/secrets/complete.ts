/**
 * The contents of all Secrets of an installation, made from what there is already: what exists is kept, what belongs to it (the
 * public key of a seed, the verifier of a password, the other copies of a shared key) is derived, and only the rest is new.
 *
 * Invariant: nothing that exists is ever changed here.
 */

import { createUserKey, publicKeyOf } from '@financial-agents/bus/server-config'
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

/** Where PostgreSQL is, as the services see it. */
export type PostgresAddress = {
  host: string
  port: number
  database: string
  sslmode: string
  /** The file in the containers with the certificates that sign the server's. */
  caFile?: string | undefined
}

/** What differs between installations. */
export type InstallationOptions = {
  prefix: string
  postgres: PostgresAddress
  /** The console's at the organisation's identity provider, where it has one. */
  operatorIdpClientSecret?: string | undefined
}

/** All contents, those that exist included. @throws Error where two copies of one key differ; it tells where, not what */
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
    // Nobody has its seed.
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

/** A Secret whose database is elsewhere than said: a corrected address would otherwise seem to have been taken. */
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

/** The Secret with the seed of a user. */
export function seedSecretName(prefix: string, user: UserName): string {
  return user === 'provisioner' ? provisionerSecretName(prefix) : serviceSecretName(prefix, user)
}

/** The keys that exist, so that a component that comes later gets those that it shares. */
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
