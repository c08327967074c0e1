/**
 * Clients for the tests, declared in addition to the seeded ones: many equal clients of each profile, so that a test
 * can take one without consent, and a few with special settings.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SeededClient, writeClientKey } from '@financial-agents/testkit/seed'
import { parse, stringify } from 'yaml'
import type { TestClient } from './environment.ts'

const scopes = [
  'accounts:read',
  'authorization:read',
  'beneficiaries:read',
  'beneficiaries:write',
  'identity:read',
  'operations:read',
  'spending:withdraw',
]

type Declared = { client_id: string; name: string; profile: string; scopes: string[] } & Record<string, unknown>

const of = {
  web: (id: string) => ({
    redirect_uris: [`https://${id}.example.test/callback`, `https://${id}.example.test/again?from=bank`],
    scopes: ['openid', ...scopes],
  }),
  spa: (id: string) => ({
    redirect_uris: [`https://${id}.example.test/signed-in`],
    origins: [`https://${id}.example.test`],
    scopes: ['openid', ...scopes],
  }),
  native: (id: string) => ({
    redirect_uris: ['http://127.0.0.1/callback', 'http://[::1]/callback', `test.example.${id}:/callback`],
    scopes: ['openid', ...scopes],
  }),
  device: () => ({ scopes }),
}

type Profile = keyof typeof of

const counts: Record<Profile, number> = { web: 120, spa: 120, native: 60, device: 60 }

function declare(profile: Profile, id: string, more: Partial<Declared> = {}): Declared {
  return { client_id: id, name: `Test ${id}`, profile, ...of[profile](id), ...more }
}

const eur = (amount: string) => ({ amount, currency: 'EUR' })

const special: Declared[] = [
  declare('web', 'sector-one', { sector_identifier: 'sector.example.test' }),
  declare('spa', 'sector-two', { sector_identifier: 'sector.example.test' }),
  declare('web', 'narrow-web', { scopes: ['openid', 'operations:read'] }),
  declare('web', 'no-login-web', { scopes: ['operations:read'] }),
  declare('web', 'capped-web', {
    policy: {
      withdrawal_confirmation_above: eur('100.00'),
      withdrawal_ceilings: { per_payment: eur('500.00'), per_day: eur('900.00') },
    },
  }),
]

/** Service accounts of the same owner as the first seeded one. Each is for one test, which ends or limits it. */
function moreAgents(seeded: readonly Declared[]): Declared[] {
  const { service_owner } = seeded.find(({ profile }) => profile === 'service') as Declared
  const agent = { profile: 'service', service_owner }
  return [
    { ...agent, client_id: 'ended-agent', name: 'Ended agent', scopes: ['operations:read'] },
    {
      ...agent,
      client_id: 'limited-agent',
      name: 'Limited agent',
      scopes: ['authorization:read', 'spending:withdraw'],
      policy: { withdrawal_ceilings: { per_day: eur('900.00') } },
    },
  ]
}

/** Writes keys and registrations; returns the clients for the tests and the file to apply. */
export async function registerTestClients(
  folder: string,
  seeded: { clientsFile: string; clients: readonly SeededClient[] },
): Promise<{ clients: TestClient[]; clientsFile: string }> {
  const pool = (Object.keys(counts) as Profile[]).flatMap((profile) =>
    Array.from({ length: counts[profile] }, (_, index) => declare(profile, `${profile}-${index}`)),
  )
  const before = parse(await readFile(seeded.clientsFile, 'utf8')) as { clients: Declared[] }
  const declared = await Promise.all(
    [...pool, ...special, ...moreAgents(before.clients)].map(async (client) => {
      if (client.profile !== 'web' && client.profile !== 'service') return { client, file: null }
      const { privateKeyFile, jwks } = await writeClientKey(folder, client.client_id)
      const withKey: Declared = { ...client, jwks }
      return { client: withKey, file: privateKeyFile }
    }),
  )
  const clientsFile = join(folder, 'clients-of-the-tests.yaml')
  const all = [...before.clients, ...declared.map(({ client }) => client)]
  await writeFile(clientsFile, stringify({ clients: all }, { aliasDuplicateObjects: false }))
  const files = new Map(declared.map(({ client, file }) => [client.client_id, file]))
  for (const client of seeded.clients) files.set(client.client_id, client.private_key_file)
  const clients = all.map(({ client_id, name, profile, scopes: ceiling, redirect_uris, origins }) => ({
    client_id,
    name,
    profile: profile as TestClient['profile'],
    scopes: ceiling,
    redirect_uris: (redirect_uris as string[] | undefined) ?? [],
    origins: (origins as string[] | undefined) ?? [],
    private_key_file: files.get(client_id) ?? null,
  }))
  return { clients, clientsFile }
}
