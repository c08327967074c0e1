/** The active grants, requested over the bus as the notifier does. */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { Binding } from '@financial-agents/bus/messages/authority'
import { call, serveCall } from '@financial-agents/bus/rpc'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeGrant, suspendGrant } from '../store/grant-status.ts'
import { grantLifetimeMs } from '../store/human-grants.ts'
import { openTestStore, spaOf, type TestStore } from '../store/test-store.test-helper.ts'
import { activeGrants } from './active-grants.ts'

const log = createLog({ service: 'authz', level: 'silent' })
const context = { requestId: 'request-of-test', traceparent: '', timeoutMs: 30_000 }
const why = { reason: 'revoked_by_owner', by: 'owner', request_id: null } as const
let nats: TestNats
let store: TestStore
let notifier: Bus
let bindings: Binding[] | undefined

beforeAll(async () => {
  ;[nats, store] = await Promise.all([startTestNats(), openTestStore()])
  await store.apply([spaOf()])
  const [authz, onboarding] = await Promise.all([nats.connect('authz'), nats.connect('onboarding')])
  notifier = await nats.connect('notifier')
  const parts = { bus: authz, db: store.db, clock: store.clock }
  serveCall(authz, 'int.authz.active-grants', (request, given) => activeGrants(parts, request, given), { log })
  serveCall(
    onboarding,
    'int.onboarding.bindings',
    async ({ owner_ids }) => {
      if (!bindings) throw new Error('onboarding is asked in vain')
      return bindings.filter(({ owner_id }) => owner_ids.includes(owner_id))
    },
    { log },
  )
  await Promise.all([authz.check(), onboarding.check()])
})
afterAll(async () => {
  await nats.stop()
  await store.close()
})

const ask = (...owners: string[]) => {
  const clients = owners.map((owner_id) => ({ owner_id, client_id: 'app' }))
  return call(notifier, 'int.authz.active-grants', { clients }, context)
}
const bindingOf = (owner_id: string, status: Binding['status']): Binding => ({
  binding_id: `binding of ${owner_id}`,
  owner_id,
  status,
  provider_name: 'A provider',
  source: 'declared',
  connected_at: '2026-01-01T00:00:00.000Z',
})

async function consented(): Promise<{ owner_id: string; grant_id: string }> {
  const owner_id = randomUUID()
  return { owner_id, ...(await store.consent({ owner_id })) }
}

test('only active grants are reported, each with the binding that its owner has connected', async () => {
  const [active, disconnecting, none, revoked, suspended] = await Promise.all(Array.from({ length: 5 }, consented))
  if (!active || !disconnecting || !none || !revoked || !suspended) throw new Error('five owners are wanted')
  bindings = [bindingOf(active.owner_id, 'connected'), bindingOf(disconnecting.owner_id, 'disconnecting')]
  await revokeGrant(store.db, revoked.grant_id, why, store.clock.now())
  await suspendGrant(store.db, suspended.grant_id, { ...why, reason: 'test' }, store.clock.now())
  const asked = [active, disconnecting, none, revoked, suspended].map(({ owner_id }) => owner_id)
  const views = await ask(...asked, randomUUID(), 'no uuid')
  const bindingByGrant = new Map(views.map(({ grant_id, binding_id }) => [grant_id, binding_id]))
  expect(bindingByGrant).toEqual(
    new Map([
      [active.grant_id, `binding of ${active.owner_id}`],
      [disconnecting.grant_id, null],
      [none.grant_id, null],
    ]),
  )
  expect(views.find(({ grant_id }) => grant_id === active.grant_id)).toEqual({
    is_service: false,
    grant_id: active.grant_id,
    client_id: 'app',
    owner_id: active.owner_id,
    subject: expect.any(String),
    status: 'active',
    expires_at: expect.any(String),
    scopes: expect.any(Array),
    policy: expect.any(Object),
    binding_id: `binding of ${active.owner_id}`,
  })
  const foreign = { clients: [{ owner_id: active.owner_id, client_id: 'another' }] }
  expect(await call(notifier, 'int.authz.active-grants', foreign, context)).toEqual([])
})

test('an expired grant and a grant of a suspended client are not among them', async () => {
  const { owner_id } = await consented()
  bindings = []
  expect(await ask(owner_id)).toHaveLength(1)
  store.clock.setOffsetMs(grantLifetimeMs + 1_000)
  expect(await ask(owner_id)).toEqual([])
  store.clock.setOffsetMs(0)
  await store.apply([])
  expect(await ask(owner_id)).toEqual([])
  await store.apply([spaOf()])
})

test('if the bindings cannot be read, the call is refused', async () => {
  const { owner_id } = await consented()
  bindings = undefined
  await expect(ask(owner_id)).rejects.toMatchObject({ code: 'authorization_unavailable' })
})
