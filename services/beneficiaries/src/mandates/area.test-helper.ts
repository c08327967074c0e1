/**
 * The service at two replicas, called as the gateway calls it, in the surroundings that mandates need: simulated
 * operations, the fences requested from the submitter, and the clients that authz knows.
 */

import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { FenceRequest, GrantedClient } from '@financial-agents/bus/messages/authority'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { OwnerMandatesRequest, OwnerNamesRequest } from '@financial-agents/bus/messages/resources'
import { call, type Reply, serveCall } from '@financial-agents/bus/rpc'
import type { MandateCaps } from '@financial-agents/contract/lower-caps'
import type { Principal } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Mandate } from '@financial-agents/contract/schemas/mandate'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { statement } from '@financial-agents/postgres/database'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import {
  createRouteClient,
  dataOf,
  type Given,
  newPrincipal,
  startTestService,
} from '@financial-agents/testkit/test-service'
import { createLostAcceptances, stubOperations } from '@financial-agents/writes/testing/stub-operations'
import { expect } from 'vitest'
import { migrations } from '../migrations.ts'
import { startBeneficiaries } from '../start.ts'
import type { MandateBody } from './check-body.ts'

const noPolicy: GrantPolicy = { ceilings: { per_payment: null, per_day: null }, confirmation: [] }

export function ceilings(changes: Partial<GrantPolicy['ceilings']>): GrantPolicy {
  return { ...noPolicy, ceilings: { ...noPolicy.ceilings, ...changes } }
}

type RouteName = keyof typeof mandatesRoutes
type Outcome = 'succeeded' | 'failed' | 'cancelled'
/** The requests to the submitter, in order. */
export async function startMandates(options: { capabilities?: 'transfers.execute'[] } = {}) {
  const area = await startTestService('beneficiaries', { migrations })
  const { clock, log, nats } = area
  const adapter = createHttpAdapter({ baseUrl: area.provider.url, connections: 2, connectTimeoutMs: 10_000 })
  const config = {
    ...area.config,
    DRAFT_DECIDE_AFTER_MS: 60_000,
    PENDING_PULL_AFTER_MS: 60_000,
    ENABLED_CAPABILITIES: options.capabilities ?? ['transfers.execute' as const],
  }
  const lostAnswers = createLostAcceptances()
  const replicas = await Promise.all(
    [1, 2].map(async () => {
      const db = area.openDatabase()
      const bus = lostAnswers.on(await nats.connect('beneficiaries'))
      return startBeneficiaries(config, { bus, db, log, clock, provider: adapter })
    }),
  )
  const operations = stubOperations(await nats.connect('operations'))
  const fences = await stubFences(nats, log)
  const authz = await nats.connect('authz')
  const clients: GrantedClient[] = []
  serveCall(authz, 'int.authz.owner-clients', async () => clients, { log })
  const db = area.openDatabase()
  const route = createRouteClient(await nats.connect('gateway'), mandatesRoutes)
  const caller = await nats.connect('operations')
  const asking = {
    requestId: randomUUID(),
    traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
    timeoutMs: 60_000,
  }

  const write = (name: RouteName, principal: Principal, given: Given) =>
    route(name, principal, { key: randomUUID(), intentId: null, policy: noPolicy, ...given }) as Promise<
      Reply<Operation>
    >
  const get = async (principal: Principal, mandate_id: string) =>
    dataOf((await route('getMandate', principal, { params: { mandate_id } })) as Reply<Mandate>)
  const settle = (
    { id, kind }: Pick<Operation, 'id' | 'kind'>,
    to: Outcome,
    changes: Partial<OperationTransition> = {},
  ) =>
    area.publish(kind, [
      { operation_id: id, sequence: 3, to, at: clock.now().toISOString(), upstream_reference: `of ${id}`, ...changes },
    ])
  const act = (
    action: 'suspendMandate' | 'revokeMandate',
    principal: Principal,
    mandate_id: string,
    given: Given = {},
  ) => write(action, principal, { params: { mandate_id }, intentId: `intent ${mandate_id}`, ...given })
  const see = (principal: Principal, mandateId: string, state: Mandate['state']) =>
    expect.poll(async () => (await get(principal, mandateId)).state, { interval: 10, timeout: 120_000 }).toBe(state)

  return {
    ...area,
    db,
    operations,
    lostAnswers,
    fences,
    clients,
    write,
    get,
    settle,
    act,
    see,
    route,
    find: {
      beneficiary: (request: { owner_id: string; beneficiary_id: string }) =>
        call(caller, 'int.beneficiaries.find-beneficiary', request, asking),
      mandate: (request: { owner_id: string; client_id: string | null; mandate_id: string }) =>
        call(caller, 'int.beneficiaries.find-mandate', request, asking),
      names: (request: OwnerNamesRequest) => call(authz, 'int.beneficiaries.owner-names', request, asking),
      mandates: (request: OwnerMandatesRequest) => call(authz, 'int.beneficiaries.owner-mandates', request, asking),
    },
    /** The owner acts on the pages. Returns the problem that refuses it, or null. */
    ownerActs: (request: { owner_id: string; mandate_id: string; action: 'suspend' | 'revoke'; key: string }) => {
      const whole = { subject: 'subject of the pages', binding_id: 'binding of the owner', ...request }
      return refusalOf(call(authz, 'int.beneficiaries.owner-action', whole, asking))
    },
    /** The owner lowers limits on the pages. Returns the problem that refuses it, or null. */
    ownerLowers: (request: { owner_id: string; mandate_id: string; caps: MandateCaps }) =>
      refusalOf(call(authz, 'int.beneficiaries.owner-action', { ...request, action: 'lower' }, asking)),
    /** The owner ticked these mandates on the consent page. */
    authorize: async (principal: Principal, mandate_ids: string[]) => {
      const { owner_id, client_id, grant_id } = principal
      const request = { owner_id, client_id, grant_id, mandate_ids }
      return (await call(authz, 'int.beneficiaries.authorize-mandates', request, asking)).mandate_ids
    },
    /**
     * Asks the question that operations asks before a confirmation. Returns the problem that would refuse the write, or
     * null.
     */
    validate: {
      creation: (principal: Principal, body: MandateBody) =>
        refusalOf(
          call(caller, 'int.beneficiaries.validate-mandate-create', { ...by(principal), params: {}, body }, asking),
        ),
      revocation: (principal: Principal, mandate_id: string) =>
        refusalOf(
          call(
            caller,
            'int.beneficiaries.validate-mandate-revoke',
            { ...by(principal), params: { mandate_id }, body: undefined },
            asking,
          ),
        ),
    },
    create: (principal: Principal, body: unknown, given: Given = {}) =>
      write('createMandate', principal, { body, intentId: 'intent of a mandate', ...given }),
    transfer: (principal: Principal, mandate_id: string, body: Record<string, unknown> = {}, given: Given = {}) =>
      write('createMandateTransfer', principal, {
        params: { mandate_id },
        body: { amount: '1', currency: 'EUR', ...body },
        ...given,
      }),
    beneficiary: (owner_id: string, state = 'active') => insertBeneficiary(db, owner_id, state),
    /** An owner's client with an active mandate. */
    async active(changes: Record<string, unknown> = {}, principal = newPrincipal(), given: Given = {}) {
      const body = mandateBody(await insertBeneficiary(db, principal.owner_id, 'active'), clock.nowMs(), changes)
      const operation = dataOf(await this.create(principal, body, given))
      settle(operation, 'succeeded')
      await see(principal, operation.resource_id, 'active')
      return { principal, id: operation.resource_id, operation }
    },
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await adapter.close()
      await area.stop()
    },
  }
}

const by = (principal: Principal) => ({
  principal,
  policy: { ceilings: { per_payment: null, per_day: null }, confirmation: [] },
})

function refusalOf(validated: Promise<null>) {
  return validated.catch((error: unknown) => {
    if (error instanceof Problem) return error.data
    throw error
  })
}

export function mandateBody(beneficiary_id: string, nowMs: number, changes: Record<string, unknown> = {}) {
  return {
    beneficiary_id,
    per_payment_max: '50',
    daily_max: '100',
    weekly_max: '200',
    monthly_max: '300',
    total_cap: '400',
    payment_count: 10,
    expires_at: new Date(nowMs + 30 * 86_400_000).toISOString(),
    ...changes,
  }
}

async function stubFences(
  nats: Awaited<ReturnType<typeof startTestService>>['nats'],
  log: Parameters<typeof serveCall>[3]['log'],
) {
  const asked: FenceRequest[] = []
  const heard: { answers: () => Promise<void> } = { answers: async () => {} }
  const bus = await nats.connect('submitter')
  serveCall(
    bus,
    'int.submitter.fence',
    async (request) => {
      asked.push(request)
      await heard.answers()
      return { open_operation_ids: [] }
    },
    { log },
  )
  return { of: (mandateId: string) => asked.filter(({ target_id }) => target_id === mandateId), heard }
}

async function insertBeneficiary(
  db: { rows: (query: ReturnType<typeof statement>, values: unknown[]) => Promise<unknown> },
  owner_id: string,
  state: string,
): Promise<string> {
  const id = randomUUIDv7()
  const query = statement(
    'test_beneficiary',
    `INSERT INTO beneficiaries (id, operation_id, owner_id, name, country, currency, payout_schema_id, is_external, masked_details,
       state, upstream_reference, created_at, updated_at)
     VALUES ($1, $1, $2, 'Rui Prado', 'PT', 'EUR', 'sepa_pt_eur', false, '{}', $3, CASE $3 WHEN 'active' THEN 'payee-one' END,
       now(), now())`,
  )
  await db.rows(query, [id, owner_id, state])
  return id
}
