import type { Calls } from '@financial-agents/bus/calls'
import type { Bus } from '@financial-agents/bus/connect'
import { call, serveCall } from '@financial-agents/bus/rpc'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, expect, test, vi } from 'vitest'
import { applyBindings } from './apply.ts'
import { declare, openTestParts } from './opened.test-helper.ts'
import { testPauses } from './signing-in.test-helper.ts'
import { startOnboarding } from './start.ts'

const parts = await openTestParts()
const nats = await startTestNats()
const log = createLog({ service: 'onboarding', level: 'silent' })
const service = startOnboarding({
  ...parts,
  bus: await nats.connect('onboarding'),
  log,
  authentication: null,
  provider: createHttpAdapter({ baseUrl: 'http://127.0.0.1:9', connections: 1, connectTimeoutMs: 100 }),
  readTimeoutMs: 200,
  payloadSealer: parts.sealer,
  pauses: { ...testPauses, ANNOUNCE_PAUSE_MS: 50 },
})
afterAll(async () => {
  await service.stop()
  await nats.stop()
  await parts.close()
})

const context = { requestId: 'test-request', traceparent: '', timeoutMs: 30_000 }
const eventually = { timeout: 120_000, interval: 25 }

const ask = <Subject extends 'int.onboarding.bindings' | 'int.onboarding.credentials'>(
  bus: Bus,
  subject: Subject,
  request: Calls[Subject]['request'],
) => call(bus, subject, request, context)

test('other services learn an owner’s binding and its sealed credentials over the bus', async () => {
  const one = declare()
  await applyBindings(parts, [one])
  const [binding] = await ask(await nats.connect('authz'), 'int.onboarding.bindings', {
    owner_ids: [one.owner_id, 'nobody'],
  })
  expect(binding).toMatchObject({ owner_id: one.owner_id, status: 'connected' })
  const binding_id = binding?.binding_id ?? ''
  const [sealed] = await ask(await nats.connect('beneficiaries'), 'int.onboarding.credentials', {
    binding_ids: [binding_id],
  })
  const opened = parts.sealer.open(Buffer.from(sealed?.credentials_sealed ?? '', 'base64'), binding_id)
  expect(opened.toString()).toBe(one.credentials)
})

test('the fence and the announcement are repeated until each is confirmed, and not after', async () => {
  const one = declare()
  await applyBindings(parts, [one])
  const announced: string[] = []
  const fenced: string[] = []
  let refusals = 2
  // authz answers from the start. The submitter starts later and fails at first.
  serveCall(
    await nats.connect('authz'),
    'int.authz.owner-changed',
    async ({ owner_id }) => {
      announced.push(owner_id)
      return null
    },
    { log },
  )
  await applyBindings(parts, [])
  await vi.waitFor(() => expect(announced.filter((id) => id === one.owner_id)).toHaveLength(2), eventually)
  serveCall(
    await nats.connect('submitter'),
    'int.submitter.fence',
    async ({ target, target_id }) => {
      refusals -= 1
      if (refusals >= 0) throw new Error('not now')
      fenced.push(`${target} ${target_id}`)
      return { open_operation_ids: [] }
    },
    { log },
  )
  const authz = await nats.connect('authz')
  const [binding] = await ask(authz, 'int.onboarding.bindings', { owner_ids: [one.owner_id] })
  await vi.waitFor(() => expect(fenced).toContain(`binding ${binding?.binding_id}`), eventually)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(fenced.filter((entry) => entry === `binding ${binding?.binding_id}`)).toHaveLength(1)
  expect(announced.filter((id) => id === one.owner_id)).toHaveLength(2)
})

test('without a provider to sign in at, a sign-in is not available, clearly, and none can be finished', async () => {
  const authz = await nats.connect('authz')
  const return_url = 'http://127.0.0.1:4000/sign-in/return'
  expect(await call(authz, 'int.onboarding.start-sign-in', { return_url }, context)).toEqual({ type: 'not_available' })
  const finished = call(authz, 'int.onboarding.finish-sign-in', { sign_in_id: 'any' }, context)
  expect(await finished).toEqual({ type: 'expired' })
})

test('a connection has its declared name, else its provider’s name', async () => {
  const [named, unnamed, unknown] = [declare({ display_name: 'My bank' }), declare(), declare({ provider: 'other' })]
  await applyBindings(parts, [named, unnamed, unknown])
  const owner_ids = [named.owner_id, unnamed.owner_id, unknown.owner_id]
  const answer = await ask(await nats.connect('authz'), 'int.onboarding.bindings', { owner_ids })
  const nameOf = new Map(answer.map(({ owner_id, provider_name }) => [owner_id, provider_name]))
  expect(owner_ids.map((id) => nameOf.get(id))).toEqual(['My bank', 'Fake', 'Other'])
})
