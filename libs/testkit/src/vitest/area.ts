/**
 * What a service that answers an area of the API needs around it in a test: a schema of its own on a real PostgreSQL, a real
 * nats-server and the real fake provider, spoken to over the bus as the gateway speaks to it. onboarding's credentials
 * are played by the bus's user of that name; whoever plays operations comes with the test.
 */

import { createSecretKey, randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import { callRoute, type Reply, routeSubject, serveCall } from '@financial-agents/bus/rpc'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import type { UserName } from '@financial-agents/bus/topology'
import { requestHash } from '@financial-agents/contract/canonical-request'
import type { Principal } from '@financial-agents/contract/principal'
import type { ProblemData } from '@financial-agents/contract/problem'
import type { Route } from '@financial-agents/contract/route'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Scope } from '@financial-agents/contract/scopes'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { Database } from '@financial-agents/postgres/database'
import type { Migrations } from '@financial-agents/postgres/migrate'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createLog, type Log } from '@financial-agents/runtime/log'
import { createSealer, type Sealer, type SealingKey } from '@financial-agents/runtime/sealing'
import { type FakeProvider, startFakeProvider } from '../stack/fake-provider.ts'

/** What surrounds the service under test. */
export type Area = {
  nats: TestNats
  provider: FakeProvider
  clock: MovableClock
  /** Silent to the console; what it wrote is in `logLines`. */
  log: Log
  logLines: string[]
  /** What areas with writes take from the environment alike, with sweeps that look often. */
  config: {
    PROVIDER_READ_TIMEOUT_MS: number
    PAYLOAD_KEYS: SealingKey[]
    CREDENTIAL_KEYS: SealingKey[]
    CURSOR_KEY: Buffer<ArrayBuffer>
    SWEEP_PAUSE_MS: number
    DRAFT_DECIDE_AFTER_MS: number
    PENDING_PULL_AFTER_MS: number
  }
  /** Opens what the service sealed for the submitter. */
  payloadSealer: Sealer
  /** What a binding is connected with, where it is not Inês; a binding whose id starts with `gone` has none. */
  credentialsOf: Map<string, string>
  openDatabase(): Database
  /** Publishes transitions as the submitter does. */
  publish(kind: OperationKind, transitions: Partial<OperationTransition>[]): void
  /** Likewise, whatever it is. */
  publishRaw(kind: OperationKind, content: unknown): void
  /** To be called once the service is stopped; closes what `openDatabase` opened. */
  stop(): Promise<void>
}

/** Starts it all, with the schema migrated. */
export async function startArea(options: { service: UserName; migrations: Migrations }): Promise<Area> {
  const [database, nats, provider] = await Promise.all([
    createTestDatabase(options),
    startTestNats(),
    startFakeProvider(),
  ])
  const logLines: string[] = []
  const log = createLog({
    service: options.service,
    level: 'debug',
    destination: { write: (line) => logLines.push(line) },
  })
  const config = {
    PROVIDER_READ_TIMEOUT_MS: 1_000,
    PAYLOAD_KEYS: [{ id: 'p', key: randomBytes(32) }],
    CREDENTIAL_KEYS: [{ id: 'c', key: randomBytes(32) }],
    CURSOR_KEY: randomBytes(32),
    SWEEP_PAUSE_MS: 40,
    DRAFT_DECIDE_AFTER_MS: 10_000,
    PENDING_PULL_AFTER_MS: 30_000,
  }
  const credentialsOf = new Map<string, string>()
  playCredentials(await nats.connect('onboarding'), createSealer(config.CREDENTIAL_KEYS), credentialsOf)
  const submitter = await nats.connect('submitter')
  const publishRaw: Area['publishRaw'] = (kind, content) =>
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
    openDatabase: () => database.open(6),
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
          credentials_sealed: sealer
            .seal(Buffer.from(credentialsOf.get(binding_id) ?? 'persona-ines-carvalho-lisboa'), binding_id)
            .toString('base64'),
        })),
    { log },
  )
}

/** An owner of her own, unless told otherwise. */
export function newPrincipal(changes: Partial<Principal> = {}): Principal {
  const binding_id = randomUUID()
  return { owner_id: randomUUID(), subject: 's', client_id: 'client-one', grant_id: 'g', binding_id, ...changes }
}

/** What a request brings. */
export type Given = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  key?: string
  /** The Confirmation-Intent-ID; null: not sent. */
  intentId?: string | null
  /** On routes that ask for them: those that token and grant both have. */
  scopes?: Scope[]
  policy?: GrantPolicy
  timeoutMs?: number
}

const hashKey = createSecretKey(randomBytes(32))
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** The longest wait for the answer of a service that has its deadline behind it. */
const graceMs = 60_000

/** Waits longer than the deadline that the service is told: a service answers before its deadline, a busy machine later. */
function waitingLonger(bus: Bus): Bus {
  const request: Bus['request'] = (subject, data, context) =>
    bus.request(subject, data, context, context.timeoutMs + graceMs)
  return { ...bus, request }
}

/** Sends requests of the area's routes as the gateway does; without a principal where a route takes no credentials. */
export function createRouteClient<Routes extends Record<string, Route>>(gateway: Bus, routes: Routes) {
  const bus = waitingLonger(gateway)
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
    return callRoute(bus, routeSubject(name, row), request, context)
  }
}

/** The data of a reply. @throws Error where it is a refusal */
export function dataOf<Data>(reply: Reply<Data>): Data {
  if (!reply.ok) throw new Error(`refused: ${reply.problem.code} ${reply.problem.detail}`)
  return reply.data
}

/** The refusal of a reply. @throws Error where it is none */
export function problemOf(reply: Reply<unknown>): ProblemData {
  if (reply.ok) throw new Error('expected a refusal')
  return reply.problem
}

/** A transition as events carry it; by default the second of an operation of nobody. */
export function transition(changes: Partial<OperationTransition>): Partial<OperationTransition> {
  return { operation_id: randomUUIDv7(), sequence: 2, at: new Date().toISOString(), ...changes }
}
