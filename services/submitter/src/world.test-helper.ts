/**
 * Everything around the submitter. Its neighbours (operations, onboarding, reconciler, authz) are played over the real
 * bus, as the foreign processes they are.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { type Consuming, consume } from '@financial-agents/bus/consume'
import type { EventBatch, LateAnswer, OperationTransition } from '@financial-agents/bus/messages/events'
import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { call, notify, serveCall } from '@financial-agents/bus/rpc'
import type { TestNats } from '@financial-agents/bus/testing/nats'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { amara } from '@financial-agents/provider-http/testing/test-users'
import { makeTarget, payloads } from '@financial-agents/provider-port/testing/submissions'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import type { Started } from '@financial-agents/service/service'
import { startTestService, type TestService } from '@financial-agents/testkit/test-service'
import { makeTestWitness } from '@financial-agents/witness/testing/witness'
import { type SubmitterConfig, submitterConfig } from './config.ts'
import { migrations } from './migrations.ts'
import { service } from './service.ts'

export const log = createLog({ service: 'test', level: process.env.TEST_LOG ?? 'silent' })
const key = (byte: number) => `k:${Buffer.alloc(32, byte).toString('base64')}`
const payloadKeys = key(1)
const credentialKeys = key(2)
const context = {
  requestId: 'test-request',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`,
  timeoutMs: 60_000,
}

const sealer = createSealer(sealingKeys.parse(credentialKeys))
/** Each binding has credentials of its own, so that the withdrawal of one connection does not affect another. */
const credentialsOf = (bindingId: string) => `${amara}~${bindingId}`
const sealCredentials = (bindingId: string, credentials = credentialsOf(bindingId)) =>
  sealer.seal(Buffer.from(credentials), bindingId).toString('base64')

/** No machine is so slow that these times pass by themselves: a call that a test holds, or a claim, is given up later. */
const patience = {
  PROVIDER_TIMEOUT_MS: '300000',
  PROVIDER_CONNECT_TIMEOUT_MS: '60000',
  LEASE_MS: '400000',
  SUBMISSION_VALIDITY_MS: '600000',
}
/** Tests move the clock by this time, and every lease is over. */
export const untilLeaseIsOverMs = 500_000

export type World = Awaited<ReturnType<typeof createWorld>>

export async function createWorld() {
  const around = await startTestService('submitter', { migrations, answersCredentials: false })
  const { nats, environment } = around
  const { connectionString, schema } = around.database
  const provider = actOn(around.provider)
  const database = around.openDatabase()
  const neighbours = await playNeighbours(nats)
  const provision = () => nats.provision((bus) => makeTestWitness(database, bus, 'submitter'))
  await provision()
  const running: Started[] = []
  return {
    database,
    connectionString,
    schema,
    provider,
    ...neighbours,
    /** Creates the target of an operation at the provider, and then accepts an operation of this kind. */
    acceptReady: async (kind: OperationKind, changes: Partial<AcceptedOperation> = {}) => {
      const binding_id = randomUUID()
      const target = await provider.makeTarget(kind, credentialsOf(binding_id))
      const target_reference = target?.upstreamReference ?? null
      return neighbours.accept({ kind, binding_id, target_reference, ...changes })
    },
    /** Starts one more submitter; stopped with the others by `stopSubmitters`. */
    start: async (
      settings: Partial<Record<keyof SubmitterConfig, string>> = {},
      clock: MovableClock = createClock(),
      serviceLog = log,
    ) => {
      const config = submitterConfig.parse({
        ...environment,
        PAYLOAD_KEYS: payloadKeys,
        CREDENTIAL_KEYS: credentialKeys,
        CALL_TIMEOUT_MS: '10000',
        ...patience,
        RETRY_AFTER_MS: '100',
        BACKGROUND_JOB_PAUSE_MS: '50',
        REPUBLISH_AFTER_MS: '300',
        ...settings,
      })
      const started = await service.start({ config, log: serviceLog, clock, schema })
      running.push(started)
      return started
    },
    /** Resolves when no message waits for a submitter or is with one. */
    quiet: async () => {
      const provisioner = await nats.connect('provisioner')
      const manager = await provisioner.connection.jetstreamManager({ timeout: 60_000 })
      await until(async () => {
        const { num_pending, num_ack_pending } = await manager.consumers.info('OPS_SUBMIT', 'submitter')
        return num_pending === 0 && num_ack_pending === 0
      })
      await provisioner.connection.close()
    },
    /** Kills nats-server and starts it again with nothing in its streams. */
    wipeBus: async () => {
      await nats.server.kill()
      await nats.server.start({ wipeStore: true })
      await provision()
    },
    stopSubmitters: () => Promise.all(running.splice(0).map((started) => started.stop())),
    close: async () => {
      await Promise.all(running.splice(0).map((started) => started.stop()))
      await neighbours.stop()
      await provider.close()
      await around.stop()
    },
  }
}

/** The neighbours' behaviour; a test changes it and sets it back. */
export type Behaviour = {
  operations: 'answers' | 'silent'
  onboarding: 'answers' | 'silent' | 'has none' | 'has former ones'
  confirms: boolean
  reconcilerTakesLateAnswers: boolean
  /** The operations whose late answers the reconciler refuses, even if `reconcilerTakesLateAnswers` is true. */
  refusedLateAnswers: string[]
}

async function playNeighbours(nats: TestNats) {
  const behaviour: Behaviour = {
    operations: 'answers',
    onboarding: 'answers',
    confirms: true,
    reconcilerTakesLateAnswers: true,
    refusedLateAnswers: [],
  }
  const accepted = new Map<string, AcceptedOperation>()
  const transitions: OperationTransition[] = []
  const lateAnswers: LateAnswer[] = []
  const [operations, onboarding, reconciler, authz] = (await Promise.all(
    (['operations', 'onboarding', 'reconciler', 'authz'] as const).map((name) => nats.connect(name)),
  )) as [Bus, Bus, Bus, Bus]

  serveCall(
    operations,
    'int.operations.payloads',
    ({ operation_ids }) => {
      if (behaviour.operations === 'silent') return new Promise<never>(() => {})
      const [first, ...rest] = operation_ids.flatMap((id) => accepted.get(id) ?? [])
      const left_out = rest.map(({ operation_id }) => operation_id)
      return Promise.resolve({ operations: first ? [first] : [], left_out })
    },
    { log },
  )
  serveCall(
    onboarding,
    'int.onboarding.credentials',
    ({ binding_ids }) => {
      if (behaviour.onboarding === 'silent') return new Promise<never>(() => {})
      if (behaviour.onboarding === 'has none') return Promise.resolve([])
      const former = behaviour.onboarding === 'has former ones' ? 'withdrawn-by-the-provider' : undefined
      return Promise.resolve(
        binding_ids.map((id) => ({
          binding_id: id,
          provider: 'fake',
          credentials_sealed: sealCredentials(id, former),
        })),
      )
    },
    { log },
  )
  serveCall(
    reconciler,
    'int.reconciler.late-answer',
    (answer) => {
      lateAnswers.push(answer)
      const takes = behaviour.reconcilerTakesLateAnswers && !behaviour.refusedLateAnswers.includes(answer.operation_id)
      return takes ? Promise.resolve(null) : Promise.reject(new Error('not taken'))
    },
    { log },
  )
  // Plays the background job of operations: offers an accepted operation again until an event shows that it was claimed.
  const submitted = new Set<string>()
  const job = setInterval(() => {
    for (const { operation_id } of transitions) submitted.delete(operation_id)
    for (const id of submitted) submit(operations, [id])
  }, 400)
  const consuming = consumeEvents(operations, reconciler, behaviour, transitions)

  return {
    behaviour,
    accepted,
    transitions,
    lateAnswers,
    /** The transitions as consumers take them: an absent fact is null. */
    transitionsOf: (id: string) =>
      distinct(transitions.filter((transition) => transition.operation_id === id)).map((reported) => ({
        ...absent,
        ...reported,
      })),
    accept: (changes: Partial<AcceptedOperation> = {}) => accept(accepted, changes),
    submit: (...ids: string[]) => {
      for (const id of ids) if (accepted.get(id)?.state === 'accepted') submitted.add(id)
      submit(operations, ids)
    },
    fence: (target: 'grant' | 'client' | 'binding' | 'mandate', target_id: string) =>
      call(authz, 'int.submitter.fence', { target, target_id, version: 1, reason: 'test' }, context),
    unfence: (target: 'grant' | 'client' | 'binding' | 'mandate', target_id: string) =>
      call(authz, 'int.submitter.unfence', { target, target_id, version: 2 }, context),
    confirm: (by: 'operations' | 'reconciler', operation_id: string, sequence: number) =>
      notify(by === 'operations' ? operations : reconciler, 'int.submitter.confirm', {
        by,
        items: [{ operation_id, sequence }],
      }),
    stop: () => {
      clearInterval(job)
      return consuming.stop()
    },
  }
}

function consumeEvents(operations: Bus, reconciler: Bus, behaviour: Behaviour, seen: OperationTransition[]): Consuming {
  return consume<EventBatch>(operations, {
    stream: 'OPS_EVENT',
    durable: 'operations',
    maxMessages: 16,
    concurrency: 1,
    handle: async (messages) => {
      const transitions = messages.flatMap((message) => message.transitions)
      seen.push(...transitions)
      if (!behaviour.confirms) return
      const items = transitions.map(({ operation_id, sequence }) => ({ operation_id, sequence }))
      notify(operations, 'int.submitter.confirm', { by: 'operations', items })
      notify(reconciler, 'int.submitter.confirm', { by: 'reconciler', items })
    },
    retryAfterMs: 100,
    onError: (error) => log.warn({ err: error }, 'test consumer'),
  })
}

function accept(accepted: Map<string, AcceptedOperation>, changes: Partial<AcceptedOperation>): AcceptedOperation {
  const id = changes.operation_id ?? randomUUID()
  const kind = changes.kind ?? 'beneficiary_create'
  const payload = (payloads as Record<string, object>)[kind] ?? {}
  const operation: AcceptedOperation = {
    operation_id: id,
    kind,
    resource_id: randomUUID(),
    state: 'accepted',
    sequence: 1,
    owner_id: randomUUID(),
    subject: 'subject',
    client_id: 'client',
    grant_id: randomUUID(),
    binding_id: randomUUID(),
    mandate_id: null,
    authority_ends_at: null,
    target_reference: null,
    accepted_at: new Date().toISOString(),
    traceparent: context.traceparent,
    payload_sealed: createSealer(sealingKeys.parse(payloadKeys))
      .seal(Buffer.from(JSON.stringify(payload)), id)
      .toString('base64'),
    ...changes,
  }
  accepted.set(id, operation)
  return operation
}

function submit(operations: Bus, ids: string[]): void {
  const message = { operations: ids.map((operation_id) => ({ operation_id, traceparent: context.traceparent })) }
  operations.publish('ops.submit.beneficiary_create', JSON.stringify(message))
}

/** Each transition once, in order: what consumers make of repeated events. */
function distinct(transitions: OperationTransition[]): OperationTransition[] {
  const bySequence = new Map(transitions.map((transition) => [transition.sequence, transition]))
  return [...bySequence.values()].toSorted((a, b) => a.sequence - b.sequence)
}

function actOn({ url, ask }: TestService['provider']) {
  const adapter = createHttpAdapter({ baseUrl: url, connections: 4, connectTimeoutMs: 10_000 })
  return {
    url,
    close: () => adapter.close(),
    makeTarget: (kind: OperationKind, credentials: string) => makeTarget(adapter, kind, credentials),
    fault: (script: string, reference: string, options: object = {}) =>
      ask('POST', '/control/faults', { script, match: { client_reference: reference }, options }),
    /** Lets the mutation go on that the script `hold` keeps, once it has arrived. */
    release: (client_reference: string) =>
      until(async () => {
        const { released } = (await ask('POST', '/control/release', { client_reference })) as { released: number }
        return released > 0
      }),
    ledger: async (reference: string) =>
      ((await ask('GET', `/control/ledger?client_reference=${reference}`)) as { entries: { outcome: string }[] })
        .entries,
    summary: async () => (await ask('GET', '/control/ledger/summary')) as { mutations: number; repeated: unknown[] },
  }
}

/** Waits until `look` gives something. */
export async function until<Value>(look: () => Value | Promise<Value>): Promise<NonNullable<Exclude<Value, false>>> {
  for (;;) {
    const value = await look()
    if (value) return value as NonNullable<Exclude<Value, false>>
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const absent = {
  failure_code: null,
  failure_detail: null,
  upstream_reference: null,
  target_reference: null,
  resource: null,
  reason: null,
  evidence: null,
}
