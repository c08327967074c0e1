/** The stack that all published clients share, behind a proxy that loses the messages that a test names. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KnownScope } from '@financial-agents/client'
import { getFreePort } from '@financial-agents/servers/ports'
import type { Seed } from '@financial-agents/testkit/seed'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { providerOf, startTestStack, type TestStack } from '../../stack.test-helper.ts'
import { type Proxy, startProxy } from '../client/proxy.ts'

export let stack: TestStack
export let proxy: Proxy
export let provider: ReturnType<typeof providerOf>
/** A folder for stores and programs. */
export let folder: string

/** Starts the stack before the first test of a file. Ends each test's faults, clocks and absences. */
export function useClientStack(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'financial-agents-clients-'))
    const [port, behind] = [await getFreePort(), await getFreePort()]
    stack = await startTestStack({
      port,
      enabledCapabilities: ['transfers.execute', 'cards.reveal'],
      environment: { gateway: { PORT: String(behind) } },
      registerClients: declareCareful,
    })
    proxy = await startProxy(port, behind)
    provider = providerOf(stack)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    if (proxy) proxy.away = false
    await provider?.clearFaults()
  })
  afterAll(async () => {
    await proxy?.close()
    await stack?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })
}

/** The scopes of the clients that act for one owner. */
export const scopes: readonly KnownScope[] = [
  'accounts:read',
  'activity:read',
  'authorization:read',
  'beneficiaries:read',
  'beneficiaries:write',
  'cards:manage',
  'cards:read',
  'operations:read',
  'spending:withdraw',
]

/** A client whose owner confirms every payment above 5 EUR. */
export const carefulClient = 'careful-runner'

async function declareCareful(to: string, { clientsFile }: Pick<Seed, 'clientsFile'>): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: object[] }
  const policy = { withdrawal_confirmation_above: { amount: '5.00', currency: 'EUR' } }
  const careful = { client_id: carefulClient, name: 'Careful Runner', profile: 'device', scopes, policy }
  const file = join(to, 'clients-and-careful.yaml')
  await writeFile(file, stringify({ clients: [...clients, careful] }, { aliasDuplicateObjects: false }))
  return file
}
