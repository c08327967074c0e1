/** The service as a process runs it: over a real bus with the permissions of production, and a real database. */

import type { Bus } from '@financial-agents/bus/connect'
import { consume } from '@financial-agents/bus/consume'
import type { Confirmation, SubmitBatch } from '@financial-agents/bus/messages/events'
import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import { call, callRoute, serveCall, serveNotice } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { createClock } from '@financial-agents/runtime/clock'
import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import type { Started } from '@financial-agents/service/service'
import { makeTestWitness } from '@financial-agents/witness/testing/witness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsConfig } from './config.ts'
import {
  moveOf,
  newId,
  newRequest,
  offeredAgain,
  openTestOperations,
  requestVariables,
} from './operations.test-helper.ts'
import { service } from './service.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let nats: Awaited<ReturnType<typeof startTestNats>>
let replicas: Started[]
let area: Bus
let submitter: Bus
let gateway: Bus
const submitted: string[] = []
const confirmed: Confirmation['items'] = []
const lines: string[] = []
const log = createLog({ service: 'operations', level: 'debug', destination: { write: (line) => lines.push(line) } })

const context = (request: AcceptRequest) => ({
  requestId: 'request-of-a-test',
  traceparent: request.traceparent,
  timeoutMs: 60_000,
  principal: request.principal,
})
const accept = (request: AcceptRequest) => call(area, 'int.operations.accept', request, context(request))
const timesSubmitted = (request: AcceptRequest) => submitted.filter((id) => id === request.operation_id).length

beforeAll(async () => {
  ;[tables, nats] = await Promise.all([openTestOperations({ months: true }), startTestNats()])
  await nats.provision((bus) => makeTestWitness(tables.open(), bus, 'operations'))
  const config = readConfig(operationsConfig, {
    NATS_URL: nats.server.url,
    NATS_REQUEST_GRACE_MS: '60000',
    NATS_NKEY_SEED: nats.seeds.operations,
    ...requestVariables,
    DATABASE_URL: tables.connectionString,
    BACKGROUND_JOB_PAUSE_MS: '50',
    BACKGROUND_JOB_AFTER_MS: '200',
    BACKGROUND_JOB_LONGEST_MS: '300',
  })
  const parts = { config, log, clock: createClock(), schema: tables.schema }
  replicas = await Promise.all([service.start(parts), service.start(parts)])
  ;[area, submitter, gateway] = await Promise.all([
    nats.connect('beneficiaries'),
    nats.connect('submitter'),
    nats.connect('gateway'),
  ])
  consume<SubmitBatch>(submitter, {
    stream: 'OPS_SUBMIT',
    durable: 'submitter',
    maxMessages: 16,
    concurrency: 1,
    handle: async (messages) => {
      submitted.push(...messages.flatMap(({ operations }) => operations.map(({ operation_id }) => operation_id)))
    },
    retryAfterMs: 100,
    onError: () => {},
  })
  serveNotice(submitter, 'int.submitter.confirm', async ({ items }) => void confirmed.push(...items), { log })
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await nats.stop()
  await tables.close()
})

async function expectReady(): Promise<void> {
  for (const { checks } of replicas)
    for (const check of Object.values(checks))
      await expect.poll(async () => check().then(() => 'ready', String)).toBe('ready')
}

test('every replica is ready', () => expectReady())

test('an accepted operation reaches the submitter, again and again, until its event; then it is confirmed', async () => {
  const request = newRequest()
  expect(await accept(request)).toMatchObject({ type: 'accepted', operation: { id: request.operation_id } })
  await expect.poll(() => timesSubmitted(request)).toBeGreaterThan(2)
  const payloads = await call(
    submitter,
    'int.operations.payloads',
    { operation_ids: [request.operation_id, offeredAgain(request).operation_id] },
    context(request),
  )
  expect(payloads).toMatchObject({
    operations: [{ payload_sealed: request.payload_sealed, state: 'accepted', sequence: 1 }],
    left_out: [],
  })
  const cancelled = moveOf(request, { event: 'cancel_before_submission', to: 'cancelled' })
  submitter.publish('ops.event.beneficiary_create', JSON.stringify({ transitions: [cancelled] }))
  await expect.poll(() => confirmed).toContainEqual({ operation_id: request.operation_id, sequence: 2 })
  const after = await call(
    submitter,
    'int.operations.payloads',
    { operation_ids: [request.operation_id] },
    context(request),
  )
  expect(after).toMatchObject({ operations: [{ payload_sealed: null, state: 'cancelled', sequence: 2 }] })
  // When a later operation's announcement has arrived, all earlier ones have arrived too.
  const hearLaterOne = async () => {
    const next = newRequest()
    await accept(next)
    await expect.poll(() => timesSubmitted(next)).toBeGreaterThan(3)
  }
  await hearLaterOne()
  const settled = timesSubmitted(request)
  await hearLaterOne()
  expect(timesSubmitted(request)).toBeLessThanOrEqual(settled + 1)
})

test('the reader finds the operation through the gateway, and nobody else does', async () => {
  const request = newRequest()
  await accept(request)
  const read = (name: string, params: Record<string, string>, query: Record<string, string>, as = request) =>
    callRoute(gateway, `rpc.operations.${name}`, { params, query }, context(as))
  const operation = { id: request.operation_id, state: 'accepted' }
  expect(await read('getOperation', { id: request.operation_id }, {})).toMatchObject({ ok: true, data: operation })
  expect(await read('listOperations', {}, { idempotency_key: request.key })).toMatchObject({
    ok: true,
    data: { items: [operation] },
  })
  expect(await read('getOperation', { id: request.operation_id }, {}, newRequest())).toMatchObject({
    ok: false,
    problem: { code: 'operation_not_found' },
  })
  expect(await read('listOperations', {}, { limit: '101' })).toMatchObject({
    ok: false,
    problem: { code: 'validation_failed', fields: [{ path: 'limit' }] },
  })
})

test('result and decision are answered over the bus', async () => {
  const request = newRequest()
  const result = () => call(area, 'int.operations.result', request, context(request))
  expect(await result()).toEqual({ type: 'new' })
  await accept(request)
  expect(await result()).toMatchObject({ type: 'replayed' })
  const undecided = newRequest()
  const ids = { operation_ids: [request.operation_id, undecided.operation_id] }
  expect(await call(area, 'int.operations.decide', ids, context(request))).toEqual([
    expect.objectContaining({ operation_id: request.operation_id, state: 'accepted' }),
    { operation_id: undecided.operation_id, state: 'void', sequence: 0, upstream_reference: null, resource: null },
  ])
  expect(await accept(undecided)).toEqual({ type: 'void' })
})

test('a binding is reported unsettled over the bus until its operations have an outcome', async () => {
  const request = newRequest()
  await accept(request)
  const onboarding = await nats.connect('onboarding')
  const binding_ids = [String(request.principal.binding_id)]
  const ask = () => call(onboarding, 'int.operations.unsettled-bindings', { binding_ids }, context(request))
  expect(await ask()).toEqual(binding_ids)
  const cancelled = moveOf(request, { event: 'cancel_before_submission', to: 'cancelled' })
  submitter.publish('ops.event.beneficiary_create', JSON.stringify({ transitions: [cancelled] }))
  await expect.poll(ask).toEqual([])
})

test('what an intent names is asked of its area, and nobody answering is a service out of reach', async () => {
  const { principal } = newRequest()
  const beneficiary_id = newId()
  const body = { beneficiary_id, amount: '12.50', currency: 'EUR' }
  const request = { path: '/v1/spending-account/withdrawals', body }
  const policy: GrantPolicy = { ceilings: { per_payment: null, per_day: null }, confirmation: [] }
  const asked = { params: {}, query: {}, scopes: ['spending:withdraw'], policy, body: { action: 'transfer', request } }
  const issue = () =>
    callRoute(gateway, 'rpc.operations.createConfirmationIntent', asked, context(newRequest({ principal })))
  expect(await issue()).toMatchObject({ ok: false, problem: { code: 'service_unavailable' } })
  const created_at = '2026-11-01T08:00:00.000Z'
  const found = { name: 'Jane Doe', country: 'PT', currency: 'EUR', masked_details: { IBAN: '0154' }, created_at }
  serveCall(
    area,
    'int.beneficiaries.find-beneficiary',
    async (asked) => (asked.owner_id === principal.owner_id ? (found as unknown as KnownBeneficiary) : null),
    { log },
  )
  const spending = await nats.connect('spending')
  serveCall(spending, 'int.spending.validate-withdrawal', async () => null, { log })
  serveCall(await nats.connect('authz'), 'int.authz.owner-clients', async () => [], { log })
  const paid =
    'Pay from your spending account, once.\nAmount: EUR 12.50\nPayee: “Jane Doe”\nAccount of the payee: IBAN ending in 0154, PT'
  await expect.poll(issue).toMatchObject({ ok: true, data: { status: 'pending', summary: paid } })
})

test('200 equal requests over the bus to two replicas: one accepted, 199 replayed', async () => {
  const request = newRequest()
  const results = await Promise.all(Array.from({ length: 200 }, () => accept(offeredAgain(request))))
  expect(results.filter((result) => result.type === 'accepted')).toHaveLength(1)
  expect(results.filter((result) => result.type === 'replayed')).toHaveLength(199)
})

test('after a loss, the operations that events name and the database lacks are known to operators until it is recovered', async () => {
  const known = newRequest()
  await accept(known)
  const lost = newRequest()
  const operators = await nats.connect('ops-console')
  const find = () => call(operators, 'int.operations.lost', null, context(known))
  expect(await find()).toBeNull()
  for (const request of [known, lost]) {
    const move = moveOf(request, { event: 'cancel_before_submission', to: 'cancelled' })
    submitter.publish('ops.event.beneficiary_create', JSON.stringify({ transitions: [move] }))
  }
  await submitter.check()
  const found = { from: '2026-11-01T08:00:00.000Z', to: '2026-11-01T08:05:00.000Z', transactions: 3 }
  const loss = { since: '2026-11-01T09:00:00.000Z', ...found }
  const sequence = await submitter.registers.write('witness.submitter.loss', loss, 0)
  const { operation_id, kind, principal } = lost
  const { owner_id, client_id } = principal
  const named = {
    operation_id,
    kind,
    owner_id,
    client_id,
    state: 'cancelled',
    at: expect.any(String),
    upstream_reference: null,
  }
  await expect.poll(find).toEqual({ count: 1, operations: [named] })
  const report = await call(operators, 'int.operations.witness', null, context(known))
  expect(report).toEqual({ reason: 'elsewhere', since: expect.any(String), ...found })
  await submitter.registers.write('witness.submitter.loss', null, sequence)
  await expectReady()
  expect(await find()).toBeNull()
})

test('no key, hash or payload reaches a log line, refused and failed requests included', async () => {
  const request = newRequest()
  await accept(request)
  const bad = newRequest({ resource_id: 'not-an-id', payload_sealed: request.payload_sealed })
  await expect(accept(bad)).rejects.toMatchObject({ code: 'internal_error' })
  await expect(accept({ ...bad, key: `\0${bad.key}` })).rejects.toMatchObject({ code: 'internal_error' })
  const text = lines.join('')
  for (const secret of [request.key, bad.key, request.request_hash, bad.request_hash, request.payload_sealed])
    expect(text.includes(secret)).toBe(false)
})
