/**
 * The service on a real PostgreSQL, a real nats-server and the real fake provider, spoken to over the bus as the gateway
 * speaks to it. onboarding and operations are played by the bus's other users.
 */

import { createSecretKey, randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import { callRoute, type Reply, routeSubject, serveCall } from '@financial-agents/bus/rpc'
import { requestHash } from '@financial-agents/contract/canonical-request'
import type { Principal } from '@financial-agents/contract/principal'
import { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { openDatabase, statement } from '@financial-agents/postgres/database'
import { createFakeAdapter } from '@financial-agents/provider/fake-adapter'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import { createTestDatabase } from '@financial-agents/testkit/database'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { startTestNats } from '@financial-agents/testkit/nats'
import { playOperations } from '@financial-agents/writes/testing/play-operations'
import { migrations } from './migrations.ts'
import { startBeneficiaries } from './start.ts'

export const iban = 'PT50000201231234567890154'

export function goodBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    country: 'PT',
    currency: 'EUR',
    details: { iban },
    name: 'Rui Prado',
    payout_schema_id: 'sepa_pt_eur',
    ...changes,
  }
}

export type Stack = Awaited<ReturnType<typeof startStack>>

const keys = { payload: { id: 'p', key: randomBytes(32) }, credential: { id: 'c', key: randomBytes(32) } }

export async function startStack(options: { replicas?: number; operations?: boolean } = {}) {
  const [database, nats, provider] = await Promise.all([
    createTestDatabase({ service: 'beneficiaries', migrations }),
    startTestNats(),
    startFakeProvider(),
  ])
  const log = createLog({ service: 'beneficiaries', level: 'silent' })
  const clock = createClock()
  const credentials = { sealer: createSealer([keys.credential]), byBinding: new Map<string, string>() }
  serveCall(
    await nats.connect('onboarding'),
    'int.onboarding.credentials',
    async ({ binding_ids }) =>
      binding_ids
        .filter((id) => !id.startsWith('gone'))
        .map((binding_id) => ({
          binding_id,
          credentials_sealed: credentials.sealer
            .seal(Buffer.from(credentials.byBinding.get(binding_id) ?? 'persona-ines-carvalho-lisboa'), binding_id)
            .toString('base64'),
        })),
    { log },
  )
  const config = {
    PROVIDER_READ_TIMEOUT_MS: 1_000,
    PAYLOAD_KEYS: [keys.payload],
    CREDENTIAL_KEYS: [keys.credential],
    CURSOR_KEY: randomBytes(32),
    SWEEP_PAUSE_MS: 40,
    DRAFT_DECIDE_AFTER_MS: 10_000,
    PENDING_PULL_AFTER_MS: 30_000,
    ENABLED_CAPABILITIES: ['transfers.execute' as const],
  }
  const adapter = createFakeAdapter({ baseUrl: provider.url, connections: 4, connectTimeoutMs: 1_000 })
  const open = () =>
    openDatabase({
      connectionString: database.connectionString,
      applicationName: 'beneficiaries-test',
      schema: database.schema,
      maxConnections: 6,
      onError: () => {},
    })
  const replicas = await Promise.all(
    Array.from({ length: options.replicas ?? 1 }, async () => {
      const db = open()
      const bus = await nats.connect('beneficiaries')
      return { db, service: startBeneficiaries(config, { bus, db, log, clock, provider: adapter }) }
    }),
  )
  const gateway = await nats.connect('gateway')
  const submitter = await nats.connect('submitter')
  const db = open()
  const connectOperations = async () => playOperations(await nats.connect('operations'))
  const playsOperations = options.operations ?? true
  return {
    db,
    clock,
    log,
    provider,
    credentials,
    payloadSealer: createSealer([keys.payload]),
    operations: playsOperations ? await connectOperations() : (undefined as never),
    connectOperations,
    ...client(gateway),
    /** Publishes transitions as the submitter does. */
    publish: (transitions: Partial<OperationTransition>[]) =>
      submitter.publish('ops.event.beneficiary_create', JSON.stringify({ transitions })),
    publishRaw: (content: unknown) => submitter.publish('ops.event.beneficiary_create', JSON.stringify(content)),
    rows: () =>
      db.rows<Row>(
        statement(
          'test_rows',
          `SELECT b.id, b.operation_id, b.owner_id, b.state, w.idempotency_key FROM beneficiaries b JOIN writes w USING (operation_id)
       ORDER BY b.created_at, b.id`,
        ),
      ),
    stop: async () => {
      await Promise.all(replicas.map(({ service }) => service.stop()))
      await nats.stop()
      await Promise.all([
        adapter.close(),
        provider.stop(),
        db.close(),
        ...replicas.map((replica) => replica.db.close()),
      ])
      await database.close()
    },
  }
}

export type Row = { id: string; operation_id: string; owner_id: string; state: string; idempotency_key: string | null }

export function newPrincipal(changes: Partial<Principal> = {}): Principal {
  const binding_id = randomUUID()
  return { owner_id: randomUUID(), subject: 's', client_id: 'client-one', grant_id: 'g', binding_id, ...changes }
}

type RouteName = keyof typeof beneficiariesRoutes
type Given = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; key?: string }

const hashKey = createSecretKey(randomBytes(32))
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function client(gateway: Bus) {
  async function send(name: RouteName, principal: Principal, given: Given = {}, timeoutMs = 5_000) {
    const { method, path } = beneficiariesRoutes[name]
    const { params = {}, query = {}, body, key } = given
    const idempotency = key && { key, request_hash: requestHash(hashKey, { method, path, body }) }
    const request = { params, query, ...(body === undefined ? {} : { body }), ...(idempotency ? { idempotency } : {}) }
    const context = { requestId: randomUUID(), traceparent, timeoutMs, principal }
    return callRoute(gateway, routeSubject(name, beneficiariesRoutes[name]), request, context)
  }
  return {
    send,
    create: (principal: Principal, body: unknown, key: string = randomUUID(), timeoutMs?: number) =>
      send('createBeneficiary', principal, { body, key }, timeoutMs) as Promise<Reply<Operation>>,
    list: async (principal: Principal, query: Record<string, string> = {}) =>
      dataOf(await send('listBeneficiaries', principal, { query })) as {
        items: Beneficiary[]
        next_cursor: string | null
      },
    get: (principal: Principal, beneficiary_id: string) =>
      send('getBeneficiary', principal, { params: { beneficiary_id } }) as Promise<Reply<Beneficiary>>,
  }
}

export function dataOf<Data>(reply: Reply<Data>): Data {
  if (!reply.ok) throw new Error(`refused: ${reply.problem.code} ${reply.problem.detail}`)
  return reply.data
}

export function problemOf(reply: Reply<unknown>) {
  if (reply.ok) throw new Error('expected a refusal')
  return reply.problem
}

export function transition(changes: Partial<OperationTransition>): Partial<OperationTransition> {
  return {
    operation_id: randomUUIDv7(),
    kind: 'beneficiary_create',
    sequence: 2,
    at: new Date().toISOString(),
    ...changes,
  }
}
