/**
 * The surroundings of approvals: a real PostgreSQL, nats-server and fake provider. The bus's user onboarding supplies
 * the credentials of the test users. Areas, submitter, gateway and authz are the test's own connections.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { consume } from '@financial-agents/bus/consume'
import type { EventBatch, OperationTransition, SubmitBatch } from '@financial-agents/bus/messages/events'
import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import { call, callRoute, notify, serveCall } from '@financial-agents/bus/rpc'
import { type ConnectionOptions, startTestNats } from '@financial-agents/bus/testing/nats'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Principal } from '@financial-agents/contract/principal'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { amara, daniel, ines, tomasz } from '@financial-agents/provider-http/testing/test-users'
import { beneficiaries, make, payloads, submission } from '@financial-agents/provider-port/testing/submissions'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import type { Started } from '@financial-agents/service/service'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { makeTestWitness } from '@financial-agents/witness/testing/witness'
import { operationsConfig } from '../config.ts'
import {
  newId,
  newPrincipal,
  newRequest,
  openTestOperations,
  query,
  requestVariables,
} from '../operations.test-helper.ts'
import { service } from '../service.ts'

export const minuteMs = 60_000

/** The longest wait for an answer of the provider. A busy machine does not reach it. */
const waitMs = minuteMs

/** Each person has a payee, and the currency in which the test user pays the payee. */
const people = {
  ines: { credentials: ines, payee: beneficiaries.sepa_de_eur },
  daniel: { credentials: daniel, payee: beneficiaries.ach_us_usd },
  tomasz: { credentials: tomasz, payee: beneficiaries.sepa_de_eur },
  amara: { credentials: amara, payee: beneficiaries.fps_gb_gbp },
} as const

export type Person = keyof typeof people

const payloadSealer = createSealer(sealingKeys.parse(requestVariables.PAYLOAD_KEYS))
const credentialSealer = createSealer(sealingKeys.parse(requestVariables.CREDENTIAL_KEYS))
const log = createLog({ service: 'operations', level: 'silent' })

export type World = Awaited<ReturnType<typeof createWorld>>

/**
 * @param options.timeoutMs time-out of the test's own calls
 * @param options.connection the options of the test's own connections to the bus
 */
export async function createWorld({
  timeoutMs = 150_000,
  connection,
}: {
  timeoutMs?: number
  connection?: ConnectionOptions
} = {}) {
  const [tables, nats, provider] = await Promise.all([
    openTestOperations({ months: true }),
    startTestNats(connection),
    startFakeProvider(),
  ])
  const db = tables.open()
  await nats.provision((bus) => makeTestWitness(db, bus, 'operations'))
  const clock = createFrozenClock()
  const lines: string[] = []
  const running = new Set<Started>()
  const credentialsOf = new Map<string, string>()
  const [onboarding, spending, submitter, gateway, authz] = (await Promise.all(
    (['onboarding', 'spending', 'submitter', 'gateway', 'authz'] as const).map((name) => nats.connect(name)),
  )) as [Bus, Bus, Bus, Bus, Bus]
  playCredentials(onboarding, credentialsOf)
  const heard = listen(spending, submitter)
  const fences = stubFences(submitter)
  const environment = {
    NATS_URL: nats.server.url,
    NATS_REQUEST_GRACE_MS: '60000',
    NATS_NKEY_SEED: nats.seeds.operations,
    ...requestVariables,
    DATABASE_URL: tables.connectionString,
    PROVIDER_URL: provider.url,
  }
  return {
    db,
    clock,
    provider,
    environment,
    schema: tables.schema,
    openDatabase: () => tables.open(),
    lines,
    ...heard,
    ...fences,
    ...createRequests(provider.url, credentialsOf),
    ...createCalls({ spending, gateway, authz }, timeoutMs),
    /** Starts another replica. Its background job sleeps unless `settings` says otherwise. */
    start: async (settings: Record<string, string> = {}): Promise<Started> => {
      const config = readConfig(operationsConfig, {
        ...environment,
        APPROVAL_JOB_PAUSE_MS: '3600000',
        APPROVAL_WAIT_MS: String(waitMs),
        PROVIDER_TIMEOUT_MS: String(waitMs),
        PROVIDER_CONNECT_TIMEOUT_MS: String(waitMs),
        BACKGROUND_JOB_PAUSE_MS: '3600000',
        ...settings,
      })
      const spoken = createLog({
        service: 'operations',
        level: 'debug',
        destination: { write: (line) => lines.push(line) },
      })
      const started = await service.start({ config, log: spoken, clock, schema: tables.schema })
      running.add(started)
      return { ...started, stop: () => (running.delete(started), started.stop()) }
    },
    /** Reads the columns of an operation that its customer never sees. */
    lookInto: async (id: string) => {
      const [row] = await query<{ payload: boolean; action: boolean; approval: string; open: boolean }>(
        db,
        `SELECT payload_sealed IS NOT NULL AS payload, action_required IS NOT NULL AS action, a.state AS approval,
          a.next_check_at IS NOT NULL AS open
        FROM operations o JOIN approvals a ON a.operation_id = o.id WHERE id = $1`,
        [id],
      )
      return row
    },
    /** True if the approval is asked about as soon as it may be. */
    isAskedNext: async (id: string) => {
      const text = 'SELECT next_check_at = ask_after AS next FROM approvals WHERE operation_id = $1'
      return (await query<{ next: boolean }>(db, text, [id]))[0]?.next
    },
    /** Reads the reservation of the day. The operation is the only payment of its owner. */
    reservedFor: async ({ principal }: AcceptRequest) => {
      const text = 'SELECT trim_scale(reserved)::text AS reserved FROM ceiling_days WHERE owner_id = $1'
      return (await query<{ reserved: string }>(db, text, [principal.owner_id])).map(({ reserved }) => reserved)
    },
    historyOf: async (id: string) => {
      const rows = await query<{ line: string }>(
        db,
        `SELECT concat_ws(' ', sequence, from_state, event, to_state, moved_by, reason, evidence->>'result') AS line
        FROM moves WHERE operation_id = $1 ORDER BY sequence`,
        [id],
      )
      return rows.map(({ line }) => line)
    },
    parked: () => query(db, 'SELECT reason, transition FROM parked_events'),
    close: async () => {
      await Promise.all(Array.from(running, (started) => started.stop()))
      await nats.stop()
      await provider.stop()
      await tables.close()
    },
  }
}

function playCredentials(onboarding: Bus, credentialsOf: ReadonlyMap<string, string>): void {
  serveCall(
    onboarding,
    'int.onboarding.credentials',
    async ({ binding_ids }) =>
      binding_ids.flatMap((binding_id) => {
        const credentials = credentialsOf.get(binding_id)
        if (credentials === undefined) return []
        return {
          binding_id,
          provider: 'fake',
          credentials_sealed: credentialSealer.seal(Buffer.from(credentials), binding_id).toString('base64'),
        }
      }),
    { log },
  )
}

/** The fences of grants, as the submitter holds them. */
function stubFences(submitter: Bus) {
  const fenced = new Set<string>()
  serveCall(
    submitter,
    'int.submitter.stopped',
    async ({ operations }) =>
      operations.flatMap(({ operation_id, grant_id }) => (fenced.has(grant_id) ? [operation_id] : [])),
    { log },
  )
  return {
    /** `tells`: false if the notice is lost. */
    fence: (grantId: string, { tells = true } = {}) => {
      fenced.add(grantId)
      if (tells) notify(submitter, 'int.operations.fenced', { target: 'grant', target_id: grantId })
    },
  }
}

/** Collects the ids that the submitter is asked to submit, and the events that an area receives. */
function listen(spending: Bus, submitter: Bus) {
  const announced: string[] = []
  const events: OperationTransition[] = []
  const options = { maxMessages: 16, concurrency: 1, retryAfterMs: 100, onError: () => {} }
  consume<SubmitBatch>(submitter, {
    ...options,
    stream: 'OPS_SUBMIT',
    durable: 'submitter',
    handle: async (messages) =>
      void announced.push(...messages.flatMap(({ operations }) => operations.map(({ operation_id }) => operation_id))),
  })
  consume<EventBatch>(spending, {
    ...options,
    stream: 'OPS_EVENT',
    durable: 'spending',
    handle: async (messages) => void events.push(...messages.flatMap(({ transitions }) => transitions)),
  })
  return {
    timesAnnounced: (id: string) => announced.filter((one) => one === id).length,
    eventsOf: (id: string) => events.filter(({ operation_id }) => operation_id === id),
  }
}

function createRequests(providerUrl: string, credentialsOf: Map<string, string>) {
  const adapter = createHttpAdapter({ baseUrl: providerUrl, connections: 8, connectTimeoutMs: waitMs })
  const payeeOf = new Map<Person, Promise<string>>()
  const makePayee = async (person: Person) => {
    const { credentials, payee } = people[person]
    return (await make(adapter, submission('beneficiary_create', { credentials, payload: payee, timeoutMs: waitMs })))
      .upstreamReference
  }
  const requestOf = async (person: Person, kind: OperationKind, payload: object): Promise<AcceptRequest> => {
    const payee = payeeOf.get(person) ?? makePayee(person)
    payeeOf.set(person, payee)
    const principal = { ...newPrincipal(), binding_id: newId() }
    credentialsOf.set(principal.binding_id, people[person].credentials)
    const operation_id = newId()
    const payload_sealed = payloadSealer.seal(Buffer.from(JSON.stringify(payload)), operation_id).toString('base64')
    return newRequest({ principal, operation_id, kind, target_reference: await payee, payload_sealed })
  }
  return {
    /** A transfer of this person, as an area offers it for acceptance. */
    transferOf: (person: Person, amount = '20'): Promise<AcceptRequest> =>
      requestOf(person, 'transfer', { ...payloads.transfer, amount, currency: people[person].payee.currency }),
    mandateOf: (person: Person): Promise<AcceptRequest> => requestOf(person, 'mandate_create', payloads.mandate_create),
  }
}

function createCalls({ spending, gateway, authz }: Record<'spending' | 'gateway' | 'authz', Bus>, timeoutMs: number) {
  const context = { requestId: 'request-of-a-test', traceparent: '', timeoutMs }
  const accept = (request: AcceptRequest, changes: { timeoutMs?: number } = {}) =>
    call(spending, 'int.operations.accept', request, { ...context, ...changes })
  const ask = (name: string, params: Record<string, string>, principal: Principal) =>
    callRoute(gateway, `rpc.operations.${name}`, { params, query: {} }, { ...context, principal })
  const read = async (name: string, params: Record<string, string>, { principal }: AcceptRequest) => {
    const reply = await ask(name, params, principal)
    if (!reply.ok) throw new Error(JSON.stringify(reply.problem))
    return reply.data as Operation
  }
  return {
    accept,
    /** Accepts the request. Returns the answer of its creation. */
    create: async (request: AcceptRequest, changes?: { timeoutMs: number }): Promise<Operation> => {
      const result = await accept(request, changes)
      if (result.type !== 'accepted') throw new Error(JSON.stringify(result))
      return result.operation
    },
    askPoll: (operation_id: string, principal: Principal) => ask('pollOperationApproval', { operation_id }, principal),
    poll: (request: AcceptRequest) => read('pollOperationApproval', { operation_id: request.operation_id }, request),
    get: (request: AcceptRequest) => read('getOperation', { id: request.operation_id }, request),
    comeBack: (operation_id: string) => call(authz, 'int.operations.approval-returned', { operation_id }, context),
    decide: (operation_id: string) =>
      call(spending, 'int.operations.decide', { operation_ids: [operation_id] }, context),
  }
}

/** Answers as the owner at the provider's page. Returns the address to which the browser is sent then. */
export async function answerAt(operation: Operation, decision: 'approve' | 'decline'): Promise<string | null> {
  const url = operation.action_required?.url
  if (url === undefined) throw new Error('there is no page to decide at')
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })
  return response.headers.get('location')
}
