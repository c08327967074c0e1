/**
 * The surroundings of a service in a test: a schema of its own on a real PostgreSQL, a real nats-server and the fake
 * provider. Requests travel over the bus as the gateway sends them. The bus user `onboarding` answers requests for
 * credentials. The test itself plays the other services.
 */

import { createSecretKey, randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import { callRoute, type Reply, routeSubject, serveCall } from '@financial-agents/bus/rpc'
import { type ConnectionOptions, startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import type { UserName } from '@financial-agents/bus/topology'
import { requestHash } from '@financial-agents/contract/canonical-request'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Principal } from '@financial-agents/contract/principal'
import type { ProblemData } from '@financial-agents/contract/problem'
import type { Route } from '@financial-agents/contract/route'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Scope } from '@financial-agents/contract/scopes'
import type { Database } from '@financial-agents/postgres/database'
import type { Migrations } from '@financial-agents/postgres/migrate'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createLog, type Log } from '@financial-agents/runtime/log'
import { createSealer, type Sealer, type SealingKey } from '@financial-agents/runtime/sealing'
import { type FakeProvider, startFakeProvider } from '../stack/fake-provider.ts'

export type TestService = {
  nats: TestNats
  provider: FakeProvider
  clock: MovableClock
  /** Writes nothing to the console; its lines are in `logLines`. */
  log: Log
  logLines: string[]
  /** The configuration that all areas with writes share, with short pauses between background jobs. */
  config: {
    PROVIDER_READ_TIMEOUT_MS: number
    PAYLOAD_KEYS: SealingKey[]
    CREDENTIAL_KEYS: SealingKey[]
    CURSOR_KEY: Buffer<ArrayBuffer>
    BACKGROUND_JOB_PAUSE_MS: number
    DRAFT_DECIDE_AFTER_MS: number
    PENDING_PULL_AFTER_MS: number
  }
  /** Opens payloads that the service sealed for the submitter. */
  payloadSealer: Sealer
  /** The credentials of a binding; Inês's if absent. A binding whose id starts with `gone` has none. */
  credentialsOf: Map<string, string>
  database: TestDatabase
  openDatabase(): Database
  /** The addresses of all these as variables of the service. */
  environment: Readonly<
    Record<'NATS_URL' | 'NATS_NKEY_SEED' | 'NATS_REQUEST_GRACE_MS' | 'DATABASE_URL' | 'PROVIDER_URL', string>
  >
  /** Publishes transitions as the submitter does. */
  publish(kind: OperationKind, transitions: Partial<OperationTransition>[]): void
  /** Publishes any content in the same way. */
  publishRaw(kind: OperationKind, content: unknown): void
  /** Closes what `openDatabase` opened. Call this after the service has stopped. */
  stop(): Promise<void>
}

/** Tests move the clock past these times. No machine is so slow that they pass by themselves. */
export const untilDraftsAreDecidedMs = 600_000
export const untilPendingIsPulledMs = 1_200_000

type Options = {
  migrations: Migrations
  /** The options of the test's own connections to the bus. */
  connection?: ConnectionOptions | undefined
  /** False: the test itself answers requests for credentials. */
  answersCredentials?: boolean
}

/** Starts everything, with the schema migrated. */
export async function startTestService(
  name: UserName,
  { migrations, connection, answersCredentials = true }: Options,
): Promise<TestService> {
  const [database, nats, provider] = await Promise.all([
    // A service that starts would otherwise move the rows of the first test.
    createTestDatabase({ service: name, migrations, months: true }),
    startTestNats(connection),
    startFakeProvider(),
  ])
  const logLines: string[] = []
  const log = createLog({ service: name, level: 'debug', destination: { write: (line) => logLines.push(line) } })
  const config = {
    PROVIDER_READ_TIMEOUT_MS: 60_000,
    PAYLOAD_KEYS: [{ id: 'p', key: randomBytes(32) }],
    CREDENTIAL_KEYS: [{ id: 'c', key: randomBytes(32) }],
    CURSOR_KEY: randomBytes(32),
    BACKGROUND_JOB_PAUSE_MS: 40,
    DRAFT_DECIDE_AFTER_MS: untilDraftsAreDecidedMs,
    PENDING_PULL_AFTER_MS: untilPendingIsPulledMs,
  }
  const credentialsOf = new Map<string, string>()
  if (answersCredentials)
    playCredentials(await nats.connect('onboarding'), createSealer(config.CREDENTIAL_KEYS), credentialsOf)
  const submitter = await nats.connect('submitter')
  const publishRaw: TestService['publishRaw'] = (kind, content) =>
    submitter.publish(`ops.event.${kind}`, JSON.stringify(content))
  return {
    nats,
    provider,
    clock: createClock(),
    log,
    logLines,
    config,
    payloadSealer: createSealer(config.PAYLOAD_KEYS),
    credentialsOf,
    database,
    openDatabase: () => database.open(6),
    environment: {
      NATS_URL: nats.server.url,
      NATS_NKEY_SEED: nats.seeds[name],
      NATS_REQUEST_GRACE_MS: '60000',
      DATABASE_URL: database.connectionString,
      PROVIDER_URL: provider.url,
    },
    publishRaw,
    publish: (kind, transitions) => publishRaw(kind, { transitions }),
    stop: async () => {
      await Promise.all([nats.stop(), provider.stop()])
      await database.close()
    },
  }
}

function playCredentials(bus: Bus, sealer: Sealer, credentialsOf: ReadonlyMap<string, string>): void {
  const log = createLog({ service: 'onboarding', level: 'silent' })
  serveCall(
    bus,
    'int.onboarding.credentials',
    async ({ binding_ids }) =>
      binding_ids
        .filter((id) => !id.startsWith('gone'))
        .map((binding_id) => ({
          binding_id,
          provider: 'fake',
          credentials_sealed: sealer
            .seal(Buffer.from(credentialsOf.get(binding_id) ?? 'test-user-ines-carvalho-lisboa'), binding_id)
            .toString('base64'),
        })),
    { log },
  )
}

/** Returns a principal with an owner of its own, unless `changes` says otherwise. */
export function newPrincipal(changes: Partial<Principal> = {}): Principal {
  const binding_id = randomUUID()
  return { owner_id: randomUUID(), subject: 's', client_id: 'client-one', grant_id: 'g', binding_id, ...changes }
}

export type Given = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  key?: string
  /** The Confirmation-Intent-ID; null: not sent. */
  intentId?: string | null
  /** The scopes that token and grant both have, for routes that need them. */
  scopes?: Scope[]
  policy?: GrantPolicy
  timeoutMs?: number
}

const hashKey = createSecretKey(randomBytes(32))
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** Sends requests of the area's routes as the gateway does; without a principal for routes that need no credentials. */
export function createRouteClient<Routes extends Record<string, Route>>(gateway: Bus, routes: Routes) {
  return (name: keyof Routes & string, principal: Principal | null, given: Given = {}): Promise<Reply<unknown>> => {
    const row = routes[name] as Route
    const { params = {}, query = {}, body, key, intentId, scopes, policy, timeoutMs = 60_000 } = given
    const path = row.path.replace(/\{(\w+)\}/g, (_, member: string) => encodeURIComponent(params[member] ?? ''))
    const request_hash = requestHash(hashKey, { method: row.method, path, body })
    const request = {
      params,
      query,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { idempotency: { key, request_hash } }),
      ...(intentId === undefined ? {} : { confirmation: { intent_id: intentId, request_hash } }),
      ...(scopes === undefined ? {} : { scopes }),
      ...(policy === undefined ? {} : { policy }),
    }
    const context = { requestId: randomUUID(), traceparent, timeoutMs, ...(principal ? { principal } : {}) }
    return callRoute(gateway, routeSubject(name, row), request, context)
  }
}

/** @throws Error if the reply is a refusal */
export function dataOf<Data>(reply: Reply<Data>): Data {
  if (!reply.ok) throw new Error(`refused: ${reply.problem.code} ${reply.problem.detail}`)
  return reply.data
}

/** @throws Error if the reply is not a refusal */
export function problemOf(reply: Reply<unknown>): ProblemData {
  if (reply.ok) throw new Error('expected a refusal')
  return reply.problem
}

/** Returns a transition as events carry it. By default it is the second one of a new operation id. */
export function transition(changes: Partial<OperationTransition>): Partial<OperationTransition> {
  return { operation_id: randomUUIDv7(), sequence: 2, at: new Date().toISOString(), ...changes }
}
