/**
 * Everything around the reconciler. The submitter, operations and onboarding are played over the real bus, as the
 * foreign processes they are.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { consume } from '@financial-agents/bus/consume'
import type {
  Confirmation,
  EventBatch,
  LateAnswer,
  OperationTransition,
  ReadPlanned,
} from '@financial-agents/bus/messages/events'
import { call, notify, serveCall, serveNotice } from '@financial-agents/bus/rpc'
import type { TestNats } from '@financial-agents/bus/testing/nats'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { amara } from '@financial-agents/provider-http/testing/test-users'
import type { SubmissionTarget } from '@financial-agents/provider-port/port'
import { makeTarget, submission } from '@financial-agents/provider-port/testing/submissions'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import type { Started } from '@financial-agents/service/service'
import { startTestService, type TestService } from '@financial-agents/testkit/test-service'
import { type ReconcilerConfig, reconcilerConfig } from './config.ts'
import { migrations } from './migrations.ts'
import { service } from './service.ts'

export const log = createLog({ service: 'test', level: process.env.TEST_LOG ?? 'silent' })
const credentialKeys = `k:${Buffer.alloc(32, 2).toString('base64')}`
const sealer = createSealer(sealingKeys.parse(credentialKeys))
/** Each binding has credentials of its own, so that the withdrawal of one connection does not affect another. */
const credentialsOf = (bindingId: string) => `${amara}~${bindingId}`
const sealCredentials = (bindingId: string) =>
  sealer.seal(Buffer.from(credentialsOf(bindingId)), bindingId).toString('base64')
const context = {
  requestId: 'test-request',
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`,
  timeoutMs: 60_000,
}

export type World = Awaited<ReturnType<typeof createWorld>>

export async function createWorld() {
  const around = await startTestService('reconciler', { migrations, answersCredentials: false })
  const { nats, environment } = around
  const { connectionString, schema } = around.database
  const provider = actOn(around.provider)
  const database = around.openDatabase()
  const neighbours = await playNeighbours(nats)
  const running: Started[] = []
  return {
    database,
    connectionString,
    provider,
    ...neighbours,
    connect: () => nats.connect('reconciler'),
    /** A database that is out of reach. */
    lostDatabase: async () => {
      const lost = around.openDatabase()
      await lost.close()
      return lost
    },
    start: async (
      settings: Partial<Record<keyof ReconcilerConfig, string>> = {},
      clock: MovableClock = createClock(),
    ) => {
      const config = reconcilerConfig.parse({
        ...environment,
        CREDENTIAL_KEYS: credentialKeys,
        CALL_TIMEOUT_MS: '10000',
        PROVIDER_TIMEOUT_MS: '60000',
        PROVIDER_CONNECT_TIMEOUT_MS: '60000',
        LOCK_MS: '120000',
        DUE_PAUSE_MS: '30',
        BACKGROUND_JOB_PAUSE_MS: '50',
        REPUBLISH_AFTER_MS: '300',
        ...settings,
      })
      const started = await service.start({ config, log, clock, schema })
      running.push(started)
      return started
    },
    stopReconcilers: () => Promise.all(running.splice(0).map((started) => started.stop())),
    close: async () => {
      await Promise.all(running.splice(0).map((started) => started.stop()))
      await neighbours.stop()
      await provider.close()
      await around.stop()
    },
  }
}

async function playNeighbours(nats: TestNats) {
  const behaviour = { onboardingAnswers: true, confirms: true }
  const transitions: OperationTransition[] = []
  const planned: ReadPlanned[] = []
  const handedOff: Confirmation['items'] = []
  const [operations, onboarding, submitter] = (await Promise.all(
    (['operations', 'onboarding', 'submitter'] as const).map((name) => nats.connect(name)),
  )) as [Bus, Bus, Bus]
  serveCall(
    onboarding,
    'int.onboarding.credentials',
    ({ binding_ids }) => {
      if (!behaviour.onboardingAnswers) return new Promise<never>(() => {})
      return Promise.resolve(
        binding_ids.map((id) => ({ binding_id: id, provider: 'fake', credentials_sealed: sealCredentials(id) })),
      )
    },
    { log },
  )
  serveNotice(
    submitter,
    'int.submitter.confirm',
    async ({ by, items }) => {
      if (by === 'reconciler') handedOff.push(...items)
    },
    { log },
  )
  const consuming = consume<EventBatch>(operations, {
    stream: 'OPS_EVENT',
    durable: 'operations',
    maxMessages: 16,
    concurrency: 1,
    handle: async (messages) => {
      const mine = messages.flatMap((message) => message.transitions).filter(({ by }) => by === 'reconciler')
      transitions.push(...mine)
      planned.push(...messages.flatMap((message) => message.reads_planned ?? []))
      const items = mine.map(({ operation_id, sequence }) => ({ operation_id, sequence }))
      if (behaviour.confirms && items.length > 0)
        notify(operations, 'int.reconciler.confirm', { by: 'operations', items })
    },
    retryAfterMs: 100,
    onError: (error) => log.warn({ err: error }, 'test consumer'),
  })
  return {
    behaviour,
    transitions,
    planned,
    handedOff,
    transitionsOf: (id: string) => distinct(transitions.filter((transition) => transition.operation_id === id)),
    handOff: (to: 'submitted' | 'indeterminate', changes: Partial<OperationTransition> = {}) =>
      handOff(submitter, to, changes),
    publish: (text: string) => submitter.publish('ops.event.beneficiary_create', text),
    lateAnswer: (answer: LateAnswer) => call(submitter, 'int.reconciler.late-answer', answer, context),
    confirm: (operation_id: string, sequence: number) =>
      notify(operations, 'int.reconciler.confirm', { by: 'operations', items: [{ operation_id, sequence }] }),
    stop: () => consuming.stop(),
  }
}

/** The submitter's transition of an operation that it hands off to the reconciler. */
export function newHandoff(
  to: 'submitted' | 'indeterminate',
  changes: Partial<OperationTransition> = {},
): OperationTransition {
  const at = changes.at ?? new Date().toISOString()
  return {
    operation_id: randomUUID(),
    kind: 'beneficiary_create',
    resource_id: randomUUID(),
    owner_id: randomUUID(),
    subject: 'subject',
    client_id: 'client',
    grant_id: randomUUID(),
    binding_id: randomUUID(),
    sequence: 3,
    from: 'submitting',
    event: to === 'submitted' ? 'provider_accepted' : 'outcome_unknown',
    to,
    by: 'submitter',
    at,
    failure_code: to === 'submitted' ? null : 'provider_connection_lost',
    failure_detail: null,
    upstream_reference: null,
    target_reference: null,
    resource: null,
    next_reconcile_at: at,
    reason: null,
    evidence: null,
    traceparent: context.traceparent,
    ...changes,
  }
}

/** Publishes a handoff as the submitter does: the claim and the outcome in one message. */
function handOff(submitter: Bus, ...given: Parameters<typeof newHandoff>): OperationTransition {
  const outcome = newHandoff(...given)
  const claim = {
    ...outcome,
    sequence: outcome.sequence - 1,
    from: 'accepted',
    event: 'claim',
    to: 'submitting',
  } as const
  const message: EventBatch = { transitions: [claim, outcome] }
  submitter.publish('ops.event.beneficiary_create', JSON.stringify(message))
  return outcome
}

function distinct(transitions: OperationTransition[]): OperationTransition[] {
  const bySequence = new Map(transitions.map((transition) => [transition.sequence, transition]))
  return [...bySequence.values()].toSorted((a, b) => a.sequence - b.sequence)
}

type Execution = { options?: object; kind?: OperationKind; bindingId?: string; target?: SubmissionTarget | undefined }

function actOn({ url, ask }: TestService['provider']) {
  const adapter = createHttpAdapter({ baseUrl: url, connections: 4, connectTimeoutMs: 10_000 })
  return {
    url,
    /** Makes the provider execute a mutation under `reference`, with a fault script if one is given. */
    execute: async (reference: string, script?: string, { options = {}, ...made }: Execution = {}) => {
      if (script) await ask('POST', '/control/faults', { script, match: { client_reference: reference }, options })
      const { kind = 'beneficiary_create', bindingId = randomUUID(), target } = made
      return adapter.submit(submission(kind, { reference, credentials: credentialsOf(bindingId), target }))
    },
    makeTarget: (kind: OperationKind, bindingId: string) => makeTarget(adapter, kind, credentialsOf(bindingId)),
    settle: (reference: string, as: 'succeeded' | 'failed') =>
      ask('POST', '/control/settle', { client_reference: reference, as }),
    close: () => adapter.close(),
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
