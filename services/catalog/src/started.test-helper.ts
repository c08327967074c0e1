/** The service with the database, bus and fake provider of `startTestService`, and the helper functions of its tests. */

import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import { serveCall } from '@financial-agents/bus/rpc'
import type { Capability } from '@financial-agents/contract/route'
import { purchasesRoutes } from '@financial-agents/contract/routes/purchases'
import { referenceDataRoutes } from '@financial-agents/contract/routes/reference-data'
import { servicesRoutes } from '@financial-agents/contract/routes/services'
import { transferQuotesRoutes } from '@financial-agents/contract/routes/transfer-quotes'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Service } from '@financial-agents/contract/schemas/service'
import { type Scope, scopeNames } from '@financial-agents/contract/scopes'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import type { Provider } from '@financial-agents/provider-port/port'
import type { MovableClock } from '@financial-agents/runtime/clock'
import { createRouteClient, dataOf, newPrincipal, startTestService } from '@financial-agents/testkit/test-service'
import { migrations } from './migrations.ts'
import { startCatalog } from './start.ts'

export type Page<Item> = { items: Item[]; next_cursor: string | null }
export type Stack = Awaited<ReturnType<typeof startStack>>

type Options = {
  replicas?: number
  capabilities?: Capability[]
  clock?: MovableClock
  /** Answers of the provider that differ from the fake provider's. */
  answers?: (adapter: Provider) => Partial<Provider>
}

export const openPolicy: GrantPolicy = { ceilings: { per_payment: null, per_day: null }, confirmation: [] }

const routes = { ...referenceDataRoutes, ...servicesRoutes, ...transferQuotesRoutes, ...purchasesRoutes }

export async function startStack(options: Options = {}) {
  const started = await startTestService('catalog', { migrations })
  const area = { ...started, clock: options.clock ?? started.clock }
  const config = {
    ...area.config,
    PUBLIC_BASE_URL: 'https://api.example',
    ENABLED_CAPABILITIES: options.capabilities ?? [],
    PRUNE_PAUSE_MS: 40,
  }
  const adapter = createHttpAdapter({ baseUrl: area.provider.url, connections: 4, connectTimeoutMs: 10_000 })
  const provider = { ...adapter, ...options.answers?.(adapter) }
  const replicas = await Promise.all(
    Array.from({ length: options.replicas ?? 1 }, async () => {
      const bus = await area.nats.connect('catalog')
      return startCatalog(config, { ...area, bus, db: area.openDatabase(), provider })
    }),
  )
  const send = createRouteClient(await area.nats.connect('gateway'), routes)
  return {
    ...area,
    adapter,
    send,
    db: area.openDatabase(),
    /** The beneficiaries that the area beneficiaries finds, by id. */
    beneficiaries: await playBeneficiaries(area),
    /** The provider answers no more calls of this kind until the test ends the fault. */
    fail: (kind: string) =>
      area.provider.ask('POST', '/control/faults', { script: 'drop_before_accept', match: { kind } }),
    recover: () => area.provider.ask('DELETE', '/control/faults'),
    services: async (scopes: Scope[] = [...scopeNames], policy = openPolicy) =>
      dataOf(await send('listServices', newPrincipal(), { query: { limit: '100' }, scopes, policy })) as Page<Service>,
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await area.nats.stop()
      await adapter.close()
      await area.stop()
    },
  }
}

async function playBeneficiaries({ nats, log }: Pick<Awaited<ReturnType<typeof startTestService>>, 'nats' | 'log'>) {
  const known = new Map<string, Partial<KnownBeneficiary> & { owner_id: string }>()
  serveCall(
    await nats.connect('beneficiaries'),
    'int.beneficiaries.find-beneficiary',
    async ({ owner_id, beneficiary_id }) => {
      const found = known.get(beneficiary_id)
      return found?.owner_id === owner_id ? (found as unknown as KnownBeneficiary) : null
    },
    { log },
  )
  return known
}

export async function serviceIdOf(stack: Pick<Stack, 'services'>, name: string): Promise<string> {
  const service = (await stack.services()).items.find((candidate) => candidate.name === name)
  if (!service) throw new Error(`no service ${name}`)
  return service.id
}
