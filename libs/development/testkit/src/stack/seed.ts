/**
 * The owners and clients of a development stack: owners with their provider test user, and registered clients with key
 * pairs made anew at each start. A private key is written to a file of its own (0600) and nowhere else.
 */

import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { stringify } from 'yaml'
import { amara, applications, documentationClient, ines, serviceAccounts } from './seed-clients.ts'

/** A service account as `stack.json` names it. */
export type ServiceAccountClient = { client_id: string; profile: 'service'; private_key_file: string }

/** An application that a person signs in to. */
export type ApplicationClient = {
  client_id: string
  profile: 'web' | 'spa' | 'native' | 'device'
  name: string
  scopes: readonly string[]
  /** Empty for a client that redirects no browser. */
  redirect_uris: readonly string[]
  /** The origins of a browser application. */
  origins: readonly string[]
  /** The file with its private JWK; null for a public client. */
  private_key_file: string | null
}

/** A client as `stack.json` names it. */
export type SeededClient = ServiceAccountClient | ApplicationClient

export type Seed = {
  /** Declared registrations, for authz. */
  clientsFile: string
  /** Declared provider bindings, for onboarding. */
  bindingsFile: string
  clients: SeededClient[]
}

/** Writes keys, registrations and bindings below `folder`. With `origin`, that stack's documentation gets its client. */
export async function writeSeed(folder: string, { origin }: { origin?: string } = {}): Promise<Seed> {
  const clients: SeededClient[] = []
  const declared: unknown[] = []
  for (const { client_id, name, owner, scopes } of serviceAccounts) {
    const { privateKeyFile, jwks } = await writeClientKey(folder, client_id)
    clients.push({ client_id, profile: 'service', private_key_file: privateKeyFile })
    declared.push({ client_id, name, profile: 'service', jwks, scopes, service_owner: owner.owner_id })
  }
  for (const application of [...applications, ...(origin === undefined ? [] : [documentationClient(origin)])]) {
    const key = application.profile === 'web' ? await writeClientKey(folder, application.client_id) : undefined
    const { client_id, profile, name, scopes } = application
    clients.push({
      client_id,
      profile,
      name,
      scopes,
      redirect_uris: 'redirect_uris' in application ? application.redirect_uris : [],
      origins: 'origins' in application ? application.origins : [],
      private_key_file: key?.privateKeyFile ?? null,
    })
    declared.push(key ? { ...application, jwks: key.jwks } : application)
  }
  const clientsFile = join(folder, 'clients.yaml')
  await writeFile(clientsFile, stringify({ clients: declared }, { aliasDuplicateObjects: false }))
  return { clientsFile, bindingsFile: await writeBindings(folder), clients }
}

/** Makes an ES256 key pair. Writes the private JWK to a file of its own; returns the public JWK for a registration. */
export async function writeClientKey(
  folder: string,
  clientId: string,
): Promise<{ privateKeyFile: string; jwks: { keys: Record<string, unknown>[] } }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const marks = { kid: randomUUID(), alg: 'ES256', use: 'sig' }
  await mkdir(join(folder, 'clients'), { recursive: true, mode: 0o700 })
  const privateKeyFile = join(folder, 'clients', `${clientId}.jwk.json`)
  await writeFile(privateKeyFile, JSON.stringify({ ...(await exportJWK(privateKey)), ...marks }), { mode: 0o600 })
  return { privateKeyFile, jwks: { keys: [{ ...(await exportJWK(publicKey)), ...marks }] } }
}

async function writeBindings(folder: string): Promise<string> {
  const bindings: unknown[] = []
  for (const { owner_id, customer_reference, credentials } of [ines, amara]) {
    const credentials_file = join(folder, `credentials-${owner_id}`)
    await writeFile(credentials_file, credentials, { mode: 0o600 })
    bindings.push({ owner_id, provider: 'fake', display_name: 'Fake provider', customer_reference, credentials_file })
  }
  const file = join(folder, 'bindings.yaml')
  await writeFile(file, stringify({ bindings }))
  return file
}
