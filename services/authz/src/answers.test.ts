import type { Bus } from '@financial-agents/bus/connect'
import type { Binding, GrantFeedMessage } from '@financial-agents/bus/messages/authority'
import { call, serveCall } from '@financial-agents/bus/rpc'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { serveAnswers } from './answers.ts'
import { type Feed, startFeed } from './background/feed.ts'
import { startFenceJob } from './background/fence-job.ts'
import { createKeySource } from './signing-keys/key-source.ts'
import {
  type Fence,
  findFence,
  leaseFences,
  recordFenceConfirmed,
  recordFenceUnanswered,
  recordFenceWanted,
} from './store/fences.ts'
import { baseUrl, makeServiceClient, ownerId, startTestServer, type TestServer } from './test-server.test-helper.ts'

const client = makeServiceClient('agent-bus')
const log = createLog({ service: 'authz', level: 'silent' })
const context = { requestId: 'request-of-test', traceparent: '', timeoutMs: 30_000 }
let nats: TestNats
let server: TestServer
let gateway: Bus
let authz: Bus
let onboarding: Bus
let submitter: Bus | undefined
let feed: Feed
let grantId: string
const heard: GrantFeedMessage[] = []

beforeAll(async () => {
  ;[nats, server] = await Promise.all([startTestNats(), startTestServer()])
  await server.apply([client.registration])
  ;[gateway, authz, onboarding] = await Promise.all([
    nats.connect('gateway'),
    nats.connect('authz'),
    nats.connect('onboarding'),
  ])
  gateway.hear('evt.grants', (data) => heard.push(JSON.parse(new TextDecoder().decode(data)) as GrantFeedMessage))
  await gateway.check()
  feed = await startFeed({ bus: authz, db: server.db, log, pauseMs: 50 })
  const [{ app }] = server.replicas
  const keys = await createKeySource({ ...server, log, pauseMs: null })
  const { capabilities } = capabilityConfiguration({ PUBLIC_BASE_URL: baseUrl, ENABLED_CAPABILITIES: ['cards.reveal'] })
  serveAnswers({ bus: authz, db: server.db, clock: server.clock, log, feed, app, keys, capabilities })
  await authz.check()
  const [row] = await server.db.rows<{ grant_id: string }>({
    name: 'test_grant_id',
    text: 'SELECT grant_id FROM grants',
  })
  grantId = row?.grant_id as string
})
beforeEach(() => {
  heard.length = 0
})
afterAll(async () => {
  await feed.stop()
  await nats.stop()
  await server.close()
})

const changes = () => heard.flatMap((message) => (message.change ? [message.change] : []))

const bindingOf = (binding_id: string, status: Binding['status']): Binding => ({
  binding_id,
  owner_id: ownerId,
  status,
  provider_name: 'A provider',
  source: 'declared',
  connected_at: '2026-01-01T00:00:00.000Z',
})

describe('rpc.authz.grant', () => {
  test('is refused as unavailable where nobody can tell the binding', async () => {
    await expect(call(gateway, 'rpc.authz.grant', { grant_id: grantId }, context)).rejects.toMatchObject({
      code: 'authorization_unavailable',
    })
  })

  test('answers the grant with the connected binding of its owner, and null for any other id', async () => {
    let bindings: Binding[] = [bindingOf('old', 'disconnected'), bindingOf('binding-1', 'connected')]
    serveCall(onboarding, 'int.onboarding.bindings', async () => bindings, { log })
    await onboarding.check()
    const view = await call(gateway, 'rpc.authz.grant', { grant_id: grantId }, context)
    expect(view).toEqual({
      grant_id: grantId,
      client_id: client.clientId,
      owner_id: ownerId,
      subject: expect.any(String),
      scopes: client.registration.scopes,
      status: 'active',
      expires_at: null,
      policy: { ceilings: { per_payment: null, per_day: null }, confirmation: expect.any(Array) },
      is_service: true,
      binding_id: 'binding-1',
    })
    bindings = [bindingOf('binding-1', 'disconnecting')]
    expect((await call(gateway, 'rpc.authz.grant', { grant_id: grantId }, context))?.binding_id).toBeNull()
    for (const id of ['nonsense', '', '01980000-0000-7000-8000-00000000ffff'])
      expect(await call(gateway, 'rpc.authz.grant', { grant_id: id }, context)).toBeNull()
  })
})

test('keys, origins and HTTP are answered to the gateway', async () => {
  const { keys } = await call(gateway, 'rpc.authz.keys', null, context)
  expect(keys).toEqual(server.keys[0].publicKeys())
  expect(await call(gateway, 'rpc.authz.origins', null, context)).toEqual({ origins: [] })
  const request = { method: 'GET', target: '/oauth/jwks', headers: [], body: '', remote_address: '192.0.2.7' }
  const answer = await call(gateway, 'rpc.authz.http', request, context)
  expect(answer.status).toBe(200)
  expect(JSON.parse(Buffer.from(answer.body, 'base64').toString())).toEqual({ keys })
})

describe('the feed', () => {
  test('has no gap in its sequence, with heartbeats and changes alike', async () => {
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(2), 60_000)
    const [first] = heard
    expect(heard.map((message) => message.sequence)).toEqual(
      heard.map((_message, index) => (first?.sequence ?? 0) + index),
    )
    expect(new Set(heard.map((message) => message.publisher)).size).toBe(1)
  })

  test('announces what a command changed in the database', async () => {
    await server.apply([{ ...client.registration, name: 'Another name' }])
    await vi.waitFor(() => expect(changes()).toEqual([{ client_id: client.clientId }]), 60_000)
  })

  test('announces the owner whose binding changed before it answers', async () => {
    await call(onboarding, 'int.authz.owner-changed', { owner_id: ownerId }, context)
    await vi.waitFor(() => expect(changes()).toEqual([{ owner_id: ownerId }]), 60_000)
  })
})

test('a suspension makes the grant inactive and is fenced until the submitter confirms, a return unfences', async () => {
  const asked: unknown[] = []
  const job = startFenceJob({ bus: authz, db: server.db, clock: server.clock, log, pauseMs: 20 })
  await server.apply([])
  expect(await call(gateway, 'rpc.authz.grant', { grant_id: grantId }, context)).toMatchObject({ status: 'inactive' })
  // The submitter has not started yet, so its requests wait.
  await new Promise((resolve) => setTimeout(resolve, 100))
  submitter = await nats.connect('submitter')
  serveCall(submitter, 'int.submitter.fence', async (request) => (asked.push(request), { open_operation_ids: [] }), {
    log,
  })
  serveCall(submitter, 'int.submitter.unfence', async (request) => (asked.push(request), null), { log })
  await vi.waitFor(() => expect(asked).toHaveLength(2), 60_000)
  expect(asked).toEqual(
    expect.arrayContaining([
      { target: 'client', target_id: client.clientId, reason: 'client_suspended', version: 1 },
      { target: 'grant', target_id: grantId, reason: 'client_suspended', version: 1 },
    ]),
  )
  const unconfirmed = () =>
    server.db.rows({ name: 'test_unconfirmed', text: 'SELECT 1 FROM fences WHERE confirmed_version < version' })
  await vi.waitFor(async () => expect(await unconfirmed()).toEqual([]), 60_000)
  await server.apply([client.registration])
  await vi.waitFor(() => expect(asked).toHaveLength(4), 60_000)
  expect(asked.slice(2)).toEqual(
    expect.arrayContaining([
      { target: 'client', target_id: client.clientId, version: 2 },
      { target: 'grant', target_id: grantId, version: 2 },
    ]),
  )
  await vi.waitFor(async () => expect(await unconfirmed()).toEqual([]), 60_000)
  await job.stop()
})

test('a fence that got no answer is sent again at once, with its version; a late answer confirms no newer one', async () => {
  const fence = { target: 'grant', target_id: 'g', fenced: true, reason: 'test' } as const
  const confirmed = async () => (await findFence(server.db, fence))?.confirmed
  const now = server.clock.now()
  const later = new Date(now.getTime() + 30_000)
  await recordFenceWanted(server.db, fence)
  const [first] = await leaseFences(server.db, now, later, 10)
  expect(first).toMatchObject({ target_id: 'g', fenced: true, version: 1 })
  expect(await leaseFences(server.db, now, later, 10)).toEqual([])
  await recordFenceUnanswered(server.db, first as Fence)
  expect(await leaseFences(server.db, now, later, 10)).toEqual([first])
  await recordFenceWanted(server.db, { ...fence, fenced: false })
  await recordFenceConfirmed(server.db, first as Fence)
  expect(await confirmed()).toBe(false)
  const [second] = await leaseFences(server.db, now, later, 10)
  expect(second).toMatchObject({ target_id: 'g', fenced: false, version: 2 })
  await recordFenceConfirmed(server.db, second as Fence)
  await recordFenceConfirmed(server.db, first as Fence)
  expect(await confirmed()).toBe(true)
})

test('an operator who suspends a grant is answered once the submitter has fenced it, not before; the gateways hear of it at once', async () => {
  const console = await nats.connect('ops-console')
  const named = { client_ids: [client.clientId, 'nobody'] }
  expect(await call(console, 'int.authz.client-names', named, context)).toMatchObject([{ client_id: client.clientId }])
  const find = () => call(console, 'int.authz.find-grants', { grant_id: grantId, after: null, limit: 1 }, context)
  expect(await find()).toMatchObject([{ grant_id: grantId, status: 'active', suspended: null }])
  const request = { grant_id: grantId, operator: 'jonas', reason: 'A stolen key.' }
  const suspend = () => call(console, 'int.authz.suspend-grant', request, context)
  const grants = { target: 'grant', target_id: grantId }
  const asked: unknown[] = []
  const fenced = Promise.withResolvers<void>()
  // The submitter is stopped, so nobody confirms the fence. The grant is suspended, but neither the request nor its
  // repetition reports that.
  await submitter?.drain()
  for (let times = 0; times < 2; times += 1)
    await expect(suspend()).rejects.toMatchObject({ code: 'acceptance_unknown' })
  expect(await find()).toMatchObject([{ status: 'suspended' }])
  const next = await nats.connect('submitter')
  serveCall(
    next,
    'int.submitter.fence',
    async (fence) => {
      asked.push(fence)
      await fenced.promise
      return { open_operation_ids: [] }
    },
    { log },
  )
  await next.check()
  const first = suspend().then((answer) => ({ answer, wasFenced: isFenced }))
  let isFenced = false
  await vi.waitFor(() => expect(asked).toHaveLength(1), 60_000)
  const second = suspend().then((answer) => ({ answer, wasFenced: isFenced }))
  isFenced = true
  fenced.resolve()
  for (const one of [first, second])
    expect(await one).toMatchObject({ answer: { outcome: 'already_suspended' }, wasFenced: true })
  for (const one of asked) expect(one).toMatchObject(grants)
  // A confirmed fence is not requested again.
  const times = asked.length
  expect(await suspend()).toMatchObject({ outcome: 'already_suspended' })
  expect(asked).toHaveLength(times)
  expect(changes()).toContainEqual({ grant_id: grantId })
  expect(await call(gateway, 'rpc.authz.grant', { grant_id: grantId }, context)).toMatchObject({ status: 'inactive' })
  expect(await find()).toMatchObject([{ status: 'suspended', suspended: { by: 'jonas', reason: 'A stolen key.' } }])
})
