/**
 * The service on a real PostgreSQL, a real nats-server and the real fake provider. Tests call it over the bus as the
 * gateway does. Other users of the bus simulate onboarding, operations and beneficiaries.
 */

import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import { call, type Reply, serveCall } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import { accountsRoutes } from '@financial-agents/contract/routes/accounts'
import { activityRoutes } from '@financial-agents/contract/routes/activity'
import { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { statement } from '@financial-agents/postgres/database'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import type { Provider } from '@financial-agents/provider-port/port'
import type { MovableClock } from '@financial-agents/runtime/clock'
import {
  createRouteClient,
  type Given,
  newPrincipal as principalOf,
  startTestService,
} from '@financial-agents/testkit/test-service'
import { createLostAcceptances, stubOperations } from '@financial-agents/writes/testing/stub-operations'
import type { WithdrawalBody } from './check-limits.ts'
import { migrations } from './migrations.ts'
import { startSpending } from './start.ts'

/** The write of a withdrawal, with its progress or outcome. */
export type Row = { id: string; operation_id: string; state: string }

type Options = {
  replicas?: number
  /** If false, `operations` or `beneficiaries` is missing until the test connects it. */
  operations?: boolean
  beneficiaries?: boolean
  clock?: MovableClock
  /** Replaces the adapter of the fake provider. */
  adapt?: (provider: Provider) => Provider
}

export async function startStack(options: Options = {}) {
  const started = await startTestService('spending', { migrations })
  const area = { ...started, clock: options.clock ?? started.clock }
  const enabledCapabilities: ('transfers.execute' | 'cards.reveal')[] = ['transfers.execute']
  const config = { ...area.config, ACTIVITY_KEY: randomBytes(32), ENABLED_CAPABILITIES: enabledCapabilities }
  const provider = createHttpAdapter({ baseUrl: area.provider.url, connections: 4, connectTimeoutMs: 10_000 })
  const lostAnswers = createLostAcceptances()
  const replicas = await Promise.all(
    Array.from({ length: options.replicas ?? 1 }, async () => {
      const db = area.openDatabase()
      const bus = lostAnswers.on(await area.nats.connect('spending'))
      return startSpending(config, { ...area, bus, db, provider: (options.adapt ?? ((given) => given))(provider) })
    }),
  )
  const beneficiaries = new Map<string, KnownBeneficiary & { owner_id: string }>()
  let beneficiariesBus: Bus | undefined
  const connectBeneficiaries = async () => {
    beneficiariesBus = await area.nats.connect('beneficiaries')
    serveCall(
      beneficiariesBus,
      'int.beneficiaries.find-beneficiary',
      async ({ owner_id, beneficiary_id }) => {
        const { owner_id: owner, ...found } = beneficiaries.get(beneficiary_id) ?? { owner_id: '' }
        return owner === owner_id ? (found as KnownBeneficiary) : null
      },
      area,
    )
  }
  if (options.beneficiaries ?? true) await connectBeneficiaries()
  const connectOperations = async () => stubOperations(await area.nats.connect('operations'))
  const operations = (options.operations ?? true) ? await connectOperations() : (undefined as never)
  const send = createRouteClient(await area.nats.connect('gateway'), {
    ...accountsRoutes,
    ...activityRoutes,
    ...spendingRoutes,
  })
  const caller = await area.nats.connect('operations')
  const db = area.openDatabase()
  const addBeneficiary = (owner_id: string, changes: Partial<KnownBeneficiary> = {}): string => {
    const id = randomUUIDv7()
    beneficiaries.set(id, { ...activeBeneficiary, owner_id, id, upstream_reference: `ref-${id}`, ...changes })
    return id
  }
  return {
    ...area,
    db,
    operations,
    lostAnswers,
    connectOperations,
    connectBeneficiaries,
    disconnectBeneficiaries: () => beneficiariesBus?.drain(),
    /** A test empties this list to switch the capability off. */
    enabledCapabilities,
    addBeneficiary,
    /** Sends a request to any route of the service. */
    send,
    changeBeneficiary: (id: string, changes: Partial<KnownBeneficiary>) =>
      Object.assign(beneficiaries.get(id) ?? {}, changes),
    withdraw: (principal: Principal, body: unknown, given: Given = {}) =>
      send('createWithdrawal', principal, {
        key: randomUUID(),
        intentId: null,
        policy: noPolicy,
        ...given,
        body,
      }) as Promise<Reply<Operation>>,
    /**
     * Asks the question that operations asks before a confirmation. Returns the problem that would refuse the write, or
     * null.
     */
    validate: async (principal: Principal, body: WithdrawalBody, policy = noPolicy) =>
      call(
        caller,
        'int.spending.validate-withdrawal',
        { principal, policy, params: {}, body },
        { requestId: randomUUID(), traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`, timeoutMs: 60_000 },
      ).catch((error: unknown) => {
        if (error instanceof Problem) return error.data
        throw error
      }),
    publish: (transitions: Partial<OperationTransition>[]) => area.publish('transfer', transitions),
    rows: ({ owner_id }: Pick<Principal, 'owner_id'>) =>
      db.rows<Row>(
        statement(
          'test_rows',
          `SELECT resource_id AS id, operation_id, coalesce(outcome, state) AS state FROM writes WHERE owner_id = $1
           ORDER BY created_at, resource_id`,
        ),
        [owner_id],
      ),
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await provider.close()
      await area.stop()
    },
  }
}

const activeBeneficiary = {
  name: 'Rui Prado',
  nickname: null,
  country: 'PT',
  currency: 'EUR',
  payout_schema_id: 'sepa_pt_eur',
  is_external: true,
  purpose_code: null,
  masked_details: { IBAN: '0154' },
  state: 'active',
  operation_id: randomUUIDv7(),
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
} as const

export const noPolicy: GrantPolicy = { ceilings: { per_payment: null, per_day: null }, confirmation: [] }

export const eur = (amount: string) => ({ amount, currency: 'EUR' })

export function ceilings(changes: Partial<GrantPolicy['ceilings']>): GrantPolicy {
  return { ...noPolicy, ceilings: { ...noPolicy.ceilings, ...changes } }
}

/** An owner with their own grant. */
export function newPrincipal(changes: Partial<Principal> = {}): Principal {
  return principalOf({ grant_id: randomUUID(), ...changes })
}

/** The list envelope. */
export type Page<Item> = { items: Item[]; next_cursor: string | null }
