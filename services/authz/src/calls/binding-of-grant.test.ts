/** The connection of a service account is fixed by its declaration, and replaced only by a new declaration. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Binding } from '@financial-agents/bus/messages/authority'
import { serveCall } from '@financial-agents/bus/rpc'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestStore, ownerId, serviceOf, spaOf, type TestStore } from '../store/test-store.test-helper.ts'
import { fixServiceBindings } from './binding-of-grant.ts'
import { grant } from './grant.ts'

const log = createLog({ service: 'authz', level: 'silent' })
const context = { requestId: 'request-of-test', traceparent: '', timeoutMs: 30_000 }
const agent = serviceOf()
let nats: TestNats
let bus: Bus
let store: TestStore
let binding: Binding | undefined

beforeAll(async () => {
  nats = await startTestNats()
  const onboarding = await nats.connect('onboarding')
  bus = await nats.connect('authz')
  serveCall(onboarding, 'int.onboarding.bindings', async () => (binding ? [binding] : []), { log })
  await onboarding.check()
})
beforeEach(async () => {
  store = await openTestStore()
  binding = undefined
})
afterEach(() => store.close())
afterAll(() => nats.stop())

/** Makes this the owner's connection, a moment after every earlier declaration. */
function connect(binding_id: string, source: Binding['source'], status: Binding['status'] = 'connected'): void {
  store.clock.setOffsetMs(store.clock.nowMs() - Date.now() + 10)
  const connected_at = store.clock.now().toISOString()
  binding = { binding_id, owner_id: ownerId, status, provider_name: 'A provider', source, connected_at }
  store.clock.setOffsetMs(store.clock.nowMs() - Date.now() + 10)
}

async function bindingNow(client_id = 'agent'): Promise<string | null | undefined> {
  const [row] = await store.read<{ grant_id: string }>(
    `SELECT grant_id FROM grants WHERE client_id = $1 AND status <> 'revoked'`,
    [client_id],
  )
  return (await grant({ bus, db: store.db, clock: store.clock }, { grant_id: row?.grant_id ?? '' }, context))
    ?.binding_id
}

test.each(['declared', 'sign_in'] as const)(
  'the connection that is there when it is declared (%s) is the one it has, and no later one',
  async (source) => {
    connect('first', source)
    await store.apply([agent])
    expect(await bindingNow()).toBe('first')
    for (const later of ['declared', 'sign_in'] as const) {
      connect(`second, ${later}`, later)
      expect(await bindingNow()).toBeNull()
    }
    connect('first', source, 'disconnecting')
    expect(await bindingNow()).toBeNull()
  },
)

test('it is fixed even if nobody uses the account', async () => {
  connect('first', 'sign_in')
  await store.apply([agent])
  await fixServiceBindings({ bus, db: store.db }, context)
  connect('second', 'declared')
  expect(await bindingNow()).toBeNull()
})

test('declared before there was any connection, it takes one that an operator declares, and none that its owner makes', async () => {
  await store.apply([agent])
  expect(await bindingNow()).toBeNull()
  connect('by the owner', 'sign_in')
  expect(await bindingNow()).toBeNull()
  connect('by an operator', 'declared')
  expect(await bindingNow()).toBe('by an operator')
})

test('declared again after a removal, it takes the current connection; applied again unchanged, it does not', async () => {
  connect('first', 'declared')
  await store.apply([agent])
  expect(await bindingNow()).toBe('first')
  connect('second', 'sign_in')
  expect(await store.apply([agent])).toEqual([])
  expect(await bindingNow()).toBeNull()
  await store.apply([])
  await store.apply([agent])
  expect(await bindingNow()).toBe('second')
})

test('a person’s grant acts over whichever connection the person has', async () => {
  await store.apply([spaOf()])
  await store.consent()
  for (const id of ['first', 'second']) {
    connect(id, 'sign_in')
    expect(await bindingNow('app')).toBe(id)
  }
})
