/**
 * Who exists in a development stack: owners with their provider persona, and registered clients with key pairs made
 * anew at each start. Private keys are written to files of their own (0600) and nowhere else.
 */

import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { stringify } from 'yaml'

export type SeededClient = { client_id: string; profile: 'service'; private_key_file: string }

export type Seed = {
  /** Declarative registrations, for authz. */
  clientsFile: string
  /** Declarative provider bindings, for onboarding. */
  bindingsFile: string
  clients: SeededClient[]
}

const ines = { owner_id: '01980000-0000-7000-8000-000000000001', credentials: 'persona-ines-carvalho-lisboa' }
const amara = { owner_id: '01980000-0000-7000-8000-000000000002', credentials: 'persona-amara-okafor-leeds' }

/** Has no connected provider. */
const noor = { owner_id: '01980000-0000-7000-8000-000000000003' }

const write = ['beneficiaries:read', 'beneficiaries:write', 'operations:read']
const registrations = [
  { client_id: 'ines-agent', name: "Ines's agent", owner: ines, scopes: write },
  { client_id: 'ines-bookkeeper', name: "Ines's bookkeeper", owner: ines, scopes: write },
  { client_id: 'ines-reader', name: "Ines's reader", owner: ines, scopes: ['beneficiaries:read'] },
  { client_id: 'amara-agent', name: "Amara's agent", owner: amara, scopes: write },
  { client_id: 'noor-agent', name: "Noor's agent", owner: noor, scopes: write },
] as const

/** Writes keys, registrations and bindings below `folder`. */
export async function writeSeed(folder: string): Promise<Seed> {
  await mkdir(join(folder, 'clients'), { recursive: true, mode: 0o700 })
  const clients: SeededClient[] = []
  const declared: unknown[] = []
  for (const { client_id, name, owner, scopes } of registrations) {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const kid = randomUUID()
    const private_key_file = join(folder, 'clients', `${client_id}.jwk.json`)
    const marks = { kid, alg: 'ES256', use: 'sig' }
    await writeFile(private_key_file, JSON.stringify({ ...(await exportJWK(privateKey)), ...marks }), { mode: 0o600 })
    clients.push({ client_id, profile: 'service', private_key_file })
    declared.push({
      client_id,
      name,
      profile: 'service',
      jwks: { keys: [{ ...(await exportJWK(publicKey)), ...marks }] },
      scopes,
      service_owner: owner.owner_id,
    })
  }
  const clientsFile = join(folder, 'clients.yaml')
  await writeFile(clientsFile, stringify({ clients: declared }))
  return { clientsFile, bindingsFile: await writeBindings(folder), clients }
}

async function writeBindings(folder: string): Promise<string> {
  const bindings: unknown[] = []
  for (const { owner_id, credentials } of [ines, amara]) {
    const credentials_file = join(folder, `credentials-${owner_id}`)
    await writeFile(credentials_file, credentials, { mode: 0o600 })
    bindings.push({ owner_id, provider: 'fake', credentials_file })
  }
  const file = join(folder, 'bindings.yaml')
  await writeFile(file, stringify({ bindings }))
  return file
}
