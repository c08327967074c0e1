/**
 * Two replicas of onboarding on one schema, a real fake provider, a person with a browser at its hosted page, and
 * clients whose requests come as the gateway passes them on. The test plays operations and the submitter on the bus.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import type { Calls } from '@financial-agents/bus/calls'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import { call, callRoute, type Reply, routeSubject, serveCall } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import type { Principal } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import { statement } from '@financial-agents/postgres/database'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import { startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { untilDraftsAreDecidedMs, untilPendingIsPulledMs } from '@financial-agents/testkit/test-service'
import { createLostAcceptances, stubOperations } from '@financial-agents/writes/testing/stub-operations'
import { openTestParts } from './opened.test-helper.ts'
import { startOnboarding } from './start.ts'

type Confirmation = { intent_id: string; request_hash: string }

type CallName = 'start-sign-in' | 'finish-sign-in' | 'may-connect' | 'connect' | 'bindings' | 'disconnect'

/** No background job runs by itself, except the one that replaces lost events. */
export const testPauses = {
  ANNOUNCE_PAUSE_MS: 600_000,
  PRUNE_PAUSE_MS: 600_000,
  BACKGROUND_JOB_PAUSE_MS: 40,
  DRAFT_DECIDE_AFTER_MS: untilDraftsAreDecidedMs,
  PENDING_PULL_AFTER_MS: untilPendingIsPulledMs,
  ERASE_PAUSE_MS: 600_000,
  ERASE_AFTER_MS: 120_000,
  FOLLOW_PAUSE_MS: 600_000,
}

const noPolicy = { ceilings: { per_payment: null, per_day: null }, confirmation: [] }

export const returnUrl = 'http://127.0.0.1:4000/sign-in/return?state=some'

export async function startSigningIn() {
  const parts = await openTestParts()
  const nats = await startTestNats()
  const fake = await startFakeProvider()
  const lines: string[] = []
  const log = createLog({ service: 'onboarding', level: 'debug', destination: { write: (line) => lines.push(line) } })
  const payloadSealer = createSealer([{ id: 'payload', key: randomBytes(32) }])
  const [operationsBus, submitter] = await Promise.all([nats.connect('operations'), nats.connect('submitter')])
  const caller = await nats.connect('operations')
  const operations = stubOperations(operationsBus)
  const unsettled = new Set<string>()
  const askedUnsettled: string[][] = []
  serveCall(
    operationsBus,
    'int.operations.unsettled-bindings',
    async ({ binding_ids }) => (askedUnsettled.push(binding_ids), binding_ids.filter((id) => unsettled.has(id))),
    { log },
  )
  const fencing = { answers: true }
  serveCall(
    submitter,
    'int.submitter.fence',
    async () => {
      if (!fencing.answers) throw new Problem('service_unavailable')
      return { open_operation_ids: [] }
    },
    { log },
  )
  await submitter.check()
  const lostAnswers = createLostAcceptances()
  const startReplica = async () => {
    const db = parts.open()
    const bus = lostAnswers.on(await nats.connect('onboarding'))
    const provider = createHttpAdapter({ baseUrl: fake.url, connections: 4, connectTimeoutMs: 10_000 })
    const authentication = { provider, providerName: 'fake', timeoutMs: 60_000 }
    const service = startOnboarding({
      ...parts,
      provider,
      readTimeoutMs: 60_000,
      payloadSealer,
      pauses: testPauses,
      db,
      bus,
      log,
      authentication,
    })
    return async () => {
      await service.stop()
      await bus.drain()
      await provider.close()
      await db.close()
    }
  }
  const stops = [await startReplica(), await startReplica()]
  const [authz, gateway] = await Promise.all([nats.connect('authz'), nats.connect('gateway')])
  const announcing = { answers: true }
  serveCall(
    authz,
    'int.authz.owner-changed',
    async () => {
      if (!announcing.answers) throw new Problem('service_unavailable')
      return null
    },
    { log },
  )
  await authz.check()
  const eraser = await nats.connect('onboarding')

  const context = { requestId: 'test-request', traceparent: '' }
  const ask = <Name extends CallName>(
    name: Name,
    request: Calls[`int.onboarding.${Name}`]['request'],
    timeoutMs = 60_000,
  ) => call(authz, `int.onboarding.${name}`, request, { ...context, timeoutMs })

  const start = async () => {
    const answer = await ask('start-sign-in', { return_url: returnUrl })
    if (answer.type !== 'started') throw new Error(`not started: ${answer.type}`)
    return answer
  }
  const decide = async (url: string, form: Record<string, string>) => {
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
    if (response.headers.get('location') !== returnUrl) throw new Error(`the page answered ${response.status}`)
  }
  const approve = async (testUser: string) => {
    const { sign_in_id, url } = await start()
    await decide(url, { test_user: testUser, decision: 'approve' })
    return sign_in_id
  }
  const signIn = async (testUser: string) => {
    const answer = await ask('finish-sign-in', { sign_in_id: await approve(testUser) })
    if (answer.type !== 'signed_in') throw new Error(`not signed in: ${answer.type}`)
    return answer
  }
  const route = (
    name: keyof typeof onboardingRoutes,
    principal: Principal,
    confirmation?: Confirmation,
    timeoutMs = 60_000,
  ) =>
    callRoute(
      gateway,
      routeSubject(name, onboardingRoutes[name]),
      { params: {}, query: {}, ...(confirmation ? { confirmation } : {}) },
      { ...context, timeoutMs, principal },
    )
  return {
    parts,
    payloadSealer,
    operations,
    lostAnswers,
    /** Bindings that operations reports as unsettled, and the bindings that it was asked about. */
    unsettled,
    askedUnsettled,
    /** True if the submitter confirms fences. */
    fencing,
    /** True if authz confirms that it has announced an end. */
    announcing,
    /** The parts for a test that runs a background job itself. */
    bus: eraser,
    log,
    read: (principal: Principal) => route('getServiceConnection', principal),
    /** Disconnects as a client with a confirmation. Equal requests have equal hashes. */
    disconnectAs: (principal: Principal, intent_id: string, timeoutMs?: number) =>
      route('disconnectService', principal, { intent_id, request_hash: 'hash of the disconnect' }, timeoutMs),
    /** Asks as operations does before an owner is asked to confirm. Returns the problem that would refuse, or null. */
    validateDisconnect: (principal: Principal) =>
      call(
        caller,
        'int.onboarding.validate-disconnect',
        { principal, policy: noPolicy, params: {}, body: undefined },
        { requestId: 'test-request', traceparent: '', timeoutMs: 60_000 },
      ).catch((error: unknown) => {
        if (error instanceof Problem) return error.data
        throw error
      }),
    /** Publishes transitions as the submitter does. */
    publish: (...transitions: Partial<OperationTransition>[]) =>
      submitter.publish('ops.event.transfer_grant_revoke', JSON.stringify({ transitions })),
    lines,
    ask,
    start,
    decide,
    /** Starts a sign-in that the person approves. Returns its id. */
    approve,
    finish: (sign_in_id: string) => ask('finish-sign-in', { sign_in_id }),
    signIn,
    /** Returns the new connection. */
    connect: async (testUser: string) => {
      const { owner } = await signIn(testUser)
      const { type } = await ask('connect', { owner_id: owner.owner_id })
      const [binding] = await ask('bindings', { owner_ids: [owner.owner_id] })
      return { type, owner, binding_id: binding?.binding_id }
    },
    fault: (script: string, kind: string, options = {}) =>
      fake.ask('POST', '/control/faults', { script, match: { kind }, options }),
    clearFaults: () => fake.ask('DELETE', '/control/faults'),
    reset: async () => {
      await fake.ask('DELETE', '/control/faults')
      parts.clock.setOffsetMs(0)
      unsettled.clear()
      fencing.answers = true
      announcing.answers = true
      askedUnsettled.length = 0
      operations.asked.length = 0
      operations.beforeAccept = async () => {}
      operations.beforeAnswer = async () => {}
      operations.validateConfirmation = () => undefined
      for (const table of [
        'sign_ins',
        'announcements',
        'customers',
        'bindings',
        'writes',
        'kyc',
        'kyc_changes',
        'kyc_sessions',
      ])
        await parts.db.rows(statement('', `DELETE FROM ${table}`))
    },
    close: async () => {
      for (const stop of stops) await stop()
      await nats.stop()
      await fake.stop()
      await parts.close()
    },
  }
}

/** A client that acts for the owner. The gateway has named no connection. */
export function clientOf(owner_id: string, client_id = 'client-one'): Principal {
  return { owner_id, subject: `subject of ${client_id}`, client_id, grant_id: randomUUID(), binding_id: null }
}

export function problemOf(reply: Reply<unknown>) {
  if (reply.ok) throw new Error('expected a refusal')
  return reply.problem
}
