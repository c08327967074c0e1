/** The notifications that subscribers get, their times, and both signatures. */

import { createPublicKey, type JsonWebKey, randomUUID, verify } from 'node:crypto'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { operationStates } from '@financial-agents/contract/machine'
import { webhookPayload } from '@financial-agents/contract/schemas/webhook'
import { statement } from '@financial-agents/postgres/database'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { newPrincipal, transition } from '@financial-agents/testkit/test-service'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Received, type Receiver, startReceiver } from './receiver.test-helper.ts'
import { eventually, makeDue, type Stack, startStack } from './started.test-helper.ts'

let stack: Stack
let receiver: Receiver

/** The same service with a clock that stands still, so that no retry falls due by itself. */
let standing: Stack

beforeAll(async () => {
  stack = await startStack({ replicas: 2 })
  standing = await startStack({ replicas: 2, clock: createFrozenClock() })
})
afterAll(() => Promise.all([stack.stop(), standing.stop()]))
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const operationOf = ({ body }: { body: string }) => webhookPayload.parse(JSON.parse(body)).data.operation_id
const count = (expected: number) => vi.waitFor(() => expect(receiver.received).toHaveLength(expected), eventually)

test('a transition is reported once, and both signatures verify with what the client was given', async () => {
  const { principal, subscription, id } = await stack.subscribed(`${receiver.url}/in?token=hidden-in-the-query`)
  const operation_id = stack.move(principal, 'indeterminate', { sequence: 3 })
  await count(1)
  const { path, headers, body } = receiver.received[0] as Received
  expect(path).toBe('/in?token=hidden-in-the-query')
  expect(headers).toMatchObject({ 'content-type': 'application/json', host: new URL(receiver.url).host })
  expect(JSON.parse(body)).toEqual({
    type: 'operation.indeterminate',
    timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    data: { operation_id, kind: 'card_create', state: 'indeterminate', submission_uncertain: true },
  })
  new Webhook(subscription.secret).verify(body, headers)
  const { keys } = await call(stack.gateway, 'rpc.notifier.keys', null, newContext(60_000))
  const key = createPublicKey({ key: keys[0] as JsonWebKey, format: 'jwk' })
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const [, v1a = ''] = /v1a,(\S+)/.exec(String(headers['webhook-signature'])) ?? []
  expect(verify(null, content, key, Buffer.from(v1a, 'base64'))).toBe(true)
  const { items } = await vi.waitFor(async () => {
    const page = await stack.deliveries(principal, id)
    expect(page.items).toMatchObject([{ status: 'delivered' }])
    return page
  }, eventually)
  expect(items).toEqual([
    {
      id: headers['webhook-id'],
      event_type: 'operation.indeterminate',
      operation_id,
      status: 'delivered',
      attempts: 1,
      last_status_code: 204,
      next_attempt_at: null,
      created_at: expect.any(String),
    },
  ])
  expect(stack.logLines.join('\n')).not.toMatch(/hidden-in-the-query|whsec_/)
})

test('the payload says when the operation moved, the delivery when that was heard', async () => {
  const { principal, id } = await stack.subscribed(receiver.url)
  const at = new Date(Date.now() - 30_000).toISOString()
  const heardFrom = new Date().toISOString()
  stack.move(principal, 'succeeded', { at })
  await count(1)
  expect(JSON.parse((receiver.received[0] as Received).body)).toMatchObject({ timestamp: at })
  const { items } = await stack.deliveries(principal, id)
  expect((items[0]?.created_at ?? '') >= heardFrom).toBe(true)
})

test.each(operationStates)('a move to %s is reported to its subscriber', async (state) => {
  const { principal } = await stack.subscribed(receiver.url, { events: [`operation.${state}`] })
  const operation_id = stack.move(principal, state, { sequence: state === 'requires_action' ? 1 : 2 })
  await count(1)
  expect(JSON.parse((receiver.received[0] as Received).body)).toMatchObject({
    type: `operation.${state}`,
    data: { operation_id, state },
  })
})

test('a creation in accepted is reported to nobody, because the answer to the write said it', async () => {
  const { principal } = await stack.subscribed(receiver.url)
  stack.move(principal, 'accepted', { sequence: 1 })
  const waiting = stack.move(principal, 'requires_action', { sequence: 1 })
  await count(1)
  expect(receiver.received.map(operationOf)).toEqual([waiting])
})

test('only what a subscription names is reported, and only to subscriptions of the operation’s owner and client', async () => {
  const { principal } = await stack.subscribed(receiver.url, { events: ['operation.succeeded'] })
  stack.move(principal, 'submitted', { sequence: 3 })
  stack.move({ ...principal, client_id: 'client-two' }, 'succeeded', { sequence: 3 })
  stack.move({ ...principal, owner_id: randomUUID() }, 'succeeded', { sequence: 3 })
  const wanted = stack.move(principal, 'succeeded', { sequence: 3 })
  await count(1)
  expect(receiver.received.map(operationOf)).toEqual([wanted])
})

test('an event that comes again is reported once, and several subscriptions are each reported', async () => {
  const { principal, id } = await stack.subscribed(receiver.url)
  const second = await stack.subscribed(`${receiver.url}/second`, {}, principal)
  const { owner_id, client_id } = principal
  const moved = transition({ owner_id, client_id, kind: 'card_create', to: 'failed' })
  stack.operations.show(principal, moved.operation_id as string, 'failed', 2)
  for (let n = 0; n < 5; n += 1) stack.publish('card_create', [moved, moved])
  const last = stack.move(principal, 'succeeded')
  await vi.waitFor(() => expect(receiver.received.map(operationOf)).toContain(last), eventually)
  await count(4)
  for (const subscription of [id, second.id])
    expect(
      new Set((await stack.deliveries(principal, subscription)).items.map(({ operation_id }) => operation_id)),
    ).toEqual(new Set([moved.operation_id, last]))
})

test('nothing is reported before its client can read it', async () => {
  const { principal, id } = await stack.subscribed(receiver.url)
  const { owner_id, client_id } = principal
  const moved = transition({ owner_id, client_id, kind: 'card_create', to: 'succeeded', sequence: 4 })
  stack.operations.show(principal, moved.operation_id as string, 'submitted', 3)
  const asked = stack.operations.asked.length
  stack.publish('card_create', [moved])
  await vi.waitFor(() => expect(stack.operations.asked.length).toBeGreaterThan(asked + 2), eventually)
  expect(receiver.received).toEqual([])
  expect((await stack.deliveries(principal, id)).items).toMatchObject([{ status: 'pending', attempts: 0 }])
  stack.operations.show(principal, moved.operation_id as string, 'succeeded', 4)
  await count(1)
})

test('malformed events keep nothing from being reported', async () => {
  const { principal } = await stack.subscribed(receiver.url)
  for (const wrong of [null, 7, {}, { transitions: 'no' }, { transitions: [null, 7, { owner_id: 'a\0' }] }])
    stack.publishRaw('card_create', wrong)
  stack.publishRaw('card_create', {
    transitions: [transition({ client_id: principal.client_id, owner_id: '\0', to: 'failed' })],
  })
  const operation = stack.move(principal, 'succeeded')
  await count(1)
  expect(receiver.received.map(operationOf)).toEqual([operation])
})

test('two processes tell of each transition once, whoever is asked for how much', async () => {
  const { principal, id } = await stack.subscribed(receiver.url)
  const moved = Array.from({ length: 150 }, () => stack.move(principal, 'succeeded'))
  await count(150)
  expect(receiver.received.map(operationOf).toSorted()).toEqual(moved.toSorted())
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(150)
  // Two replicas with four slots for each host.
  expect(receiver.mostAtOnce()).toBeLessThanOrEqual(8)
  await vi.waitFor(async () => {
    const { items, next_cursor } = await stack.deliveries(principal, id, { limit: '100' })
    const rest = await stack.deliveries(principal, id, { limit: '100', cursor: String(next_cursor) })
    const all = [...items, ...rest.items]
    expect(all.every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(true)
    expect(new Set(all.map(({ operation_id }) => operation_id))).toEqual(new Set(moved))
  }, eventually)
})

test('a cursor of deliveries is good for that subscription alone', async () => {
  const { principal, id } = await stack.subscribed(receiver.url)
  const other = await stack.subscribed(receiver.url, {}, principal)
  for (let n = 0; n < 2; n += 1) stack.move(principal, 'succeeded')
  await count(4)
  const { next_cursor } = await stack.deliveries(principal, id, { limit: '1' })
  const query = { limit: '1', cursor: String(next_cursor) }
  expect((await stack.send('listWebhookDeliveries', principal, { params: { id: other.id }, query })).ok).toBe(false)
})

describe('a delivery stops where its client may not know of the operation any more', () => {
  test.each([
    ['the grant was revoked or suspended', null],
    ['the binding was disconnected', { binding_id: null }],
    ['the grant does not let it read operations', { scopes: ['accounts:read'] }],
  ])('%s', async (_why, change) => {
    const { principal, id } = await stack.subscribed(receiver.url)
    stack.authz.changed.set(principal.owner_id, change)
    stack.move(principal, 'succeeded')
    await vi.waitFor(async () => {
      const expected = { status: 'failed', attempts: 0, last_status_code: null, next_attempt_at: null }
      expect((await stack.deliveries(principal, id)).items).toMatchObject([expected])
    }, eventually)
    expect(receiver.received).toEqual([])
    stack.authz.changed.delete(principal.owner_id)
    stack.move(principal, 'succeeded')
    await count(1)
  })

  test('a retry is asked about again', async () => {
    receiver.answer(500)
    const { principal, id } = await standing.subscribed(receiver.url)
    standing.move(principal, 'succeeded')
    await count(1)
    standing.authz.changed.set(principal.owner_id, null)
    await vi.waitFor(async () => {
      await makeDue(standing, id)
      expect((await standing.deliveries(principal, id)).items).toMatchObject([{ status: 'failed', attempts: 1 }])
    }, eventually)
    expect(receiver.received).toHaveLength(1)
  })
})

test('while nobody says whether it may be sent, a delivery waits', async () => {
  const { principal, id } = await stack.subscribed(receiver.url)
  stack.authz.state.failing = true
  const asked = stack.operations.asked.length
  stack.move(principal, 'succeeded')
  await vi.waitFor(() => expect(stack.operations.asked.length).toBeGreaterThan(asked + 2), eventually)
  expect((await stack.deliveries(principal, id)).items).toMatchObject([{ status: 'pending', attempts: 0 }])
  expect(receiver.received).toEqual([])
  stack.authz.state.failing = false
  await count(1)
})

test('a subscription that is deleted gets nothing more, and what waited for it goes', async () => {
  receiver.answer(500)
  const { principal, id } = await standing.subscribed(receiver.url)
  const kept = await standing.subscribed(`${receiver.url}/kept`, {}, principal)
  standing.move(principal, 'submitted')
  await count(2)
  expect((await standing.remove(principal, id)).ok).toBe(true)
  await vi.waitFor(async () => {
    await makeDue(standing, id)
    const rows = await standing.db.rows({ name: '', text: 'SELECT 1 FROM deliveries WHERE subscription_id = $1' }, [id])
    expect(rows).toEqual([])
  }, eventually)
  receiver.answer(204)
  standing.move(principal, 'succeeded')
  await count(3)
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/', '/kept', '/kept'])
  expect((await standing.deliveries(principal, kept.id)).items).toHaveLength(2)
})

test('a subscription gets no move that is much older than itself', async () => {
  const principal = newPrincipal()
  await stack.subscribed(receiver.url, {}, principal)
  const { owner_id, client_id } = principal
  const at = new Date(Date.now() - 120_000).toISOString()
  const old = transition({ owner_id, client_id, kind: 'card_create', to: 'succeeded', at })
  stack.operations.show(principal, old.operation_id as string, 'succeeded', 2)
  stack.publish('card_create', [old])
  const operation = stack.move(principal, 'succeeded')
  await count(1)
  expect(receiver.received.map(operationOf)).toEqual([operation])
})

test('a delivery is sent again when its client asks, with the same id, also long after it was over', async () => {
  const { principal, id } = await standing.subscribed(receiver.url)
  standing.move(principal, 'succeeded')
  const delivered = (attempts: number) =>
    vi.waitFor(async () => {
      const { items } = await standing.deliveries(principal, id)
      expect(items).toMatchObject([{ status: 'delivered', attempts }])
      return items[0]?.id ?? ''
    }, eventually)
  const delivery = await delivered(1)
  await standing.db.rows(
    statement('test_age', `UPDATE deliveries SET created_at = created_at - interval '20 days' WHERE id = $1`),
    [delivery],
  )
  expect(await standing.resend(principal, id, delivery)).toMatchObject({ data: { id: delivery, status: 'pending' } })
  await delivered(2)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery]))
  expect(receiver.received).toHaveLength(2)
  for (const [owner, of, asked, code] of [
    [principal, id, randomUUID(), 'webhook_delivery_not_found'],
    [newPrincipal(), id, delivery, 'webhook_subscription_not_found'],
  ] as const)
    expect(await standing.resend(owner, of, asked)).toMatchObject({ problem: { code } })
})
