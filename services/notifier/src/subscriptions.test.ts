/** Creation, reads and deletion of subscriptions by their client. */

import { randomUUID } from 'node:crypto'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { webhookEventTypes } from '@financial-agents/contract/schemas/webhook'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Stack, startStack } from './started.test-helper.ts'

let stack: Stack
let off: Stack

const url = 'https://hooks.example.com/in?token=hidden-in-the-query'

beforeAll(async () => {
  const resolve = async (host: string) => (host === 'hooks.example.com' ? ['93.184.215.14'] : [])
  ;[stack, off] = await Promise.all([
    startStack({ resolve, loopback: 'refused', replicas: 2 }),
    startStack({ resolve, signing: false }),
  ])
})
afterAll(() => Promise.all([stack.stop(), off.stop()]))

test('a subscription is made with a secret that is shown once and stored sealed', async () => {
  const { principal, subscription } = await stack.subscribed(url, { description: 'Mine', events: ['operation.failed'] })
  expect(subscription).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    url,
    description: 'Mine',
    events: ['operation.failed'],
    status: 'active',
    created_at: expect.any(String),
    disabled_at: null,
    disabled_reason: null,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  })
  const { secret, ...shown } = subscription
  expect(dataOf(await stack.get(principal, subscription.id))).toEqual(shown)
  expect((await stack.list(principal)).items).toEqual([shown])
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(bytes).toHaveLength(32)
  const [row] = await stack.db.rows<{ secret_sealed: Buffer }>(
    statement('test_sealed', 'SELECT secret_sealed FROM subscriptions WHERE id = $1'),
    [subscription.id],
  )
  expect(row?.secret_sealed.includes(bytes)).toBe(false)
  expect(stack.logLines.join('\n')).not.toMatch(/hidden-in-the-query|whsec_/)
})

test.each(['https://HOOKS.Example.com', 'https://hooks.example.com:443/a/../b?q=é'])(
  'an address is kept byte for byte as it was sent: %s',
  async (sent) => {
    const principal = newPrincipal()
    const { secret: _secret, ...made } = dataOf(await stack.create(principal, { url: sent }))
    expect(made.url).toBe(sent)
    expect(dataOf(await stack.get(principal, made.id)).url).toBe(sent)
  },
)

test('without events it is for all of them, and two have secrets of their own', async () => {
  const { principal, subscription } = await stack.subscribed(url)
  expect(subscription).toMatchObject({ events: webhookEventTypes, description: null })
  const other = dataOf(await stack.create(principal, { url }))
  expect(other.secret).not.toBe(subscription.secret)
})

describe('what is not allowed as an address is 422, names the URL and says what to send', () => {
  test.each([
    'http://hooks.example.com/',
    'https://hooks.example.com:8443/',
    'https://unknown.example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'nonsense',
    'https:hooks.example.com',
    'https://hooks.example.com/\r\n',
    'https://hooks.exa\tmple.com/',
  ])('%j', async (wrong) => {
    const problem = problemOf(await stack.create(newPrincipal(), { url: wrong }))
    expect(problem).toMatchObject({
      code: 'validation_failed',
      fields: [{ path: 'url', message: expect.stringMatching(/^Send /) }],
    })
  })
})

test('a name that leads near is refused, and one that does so only at times is refused when it does', async () => {
  const answers = [['93.184.215.14'], ['127.0.0.1']]
  const rebinding = await startStack({ loopback: 'refused', resolve: async () => answers.shift() ?? ['127.0.0.1'] })
  try {
    const principal = newPrincipal()
    expect((await rebinding.create(principal, { url: 'https://rebind.example.com/' })).ok).toBe(true)
    const problem = problemOf(await rebinding.create(principal, { url: 'https://rebind.example.com/' }))
    expect(problem).toMatchObject({ code: 'validation_failed', fields: [{ path: 'url' }] })
  } finally {
    await rebinding.stop()
  }
})

test('a subscription that is foreign, unknown or deleted gets the same answer', async () => {
  const { principal, id } = await stack.subscribed(url)
  const strangers = [
    newPrincipal(),
    { ...principal, client_id: 'client-two' },
    { ...principal, owner_id: randomUUID() },
  ]
  for (const stranger of strangers) {
    expect(problemOf(await stack.get(stranger, id)).code).toBe('webhook_subscription_not_found')
    expect(problemOf(await stack.remove(stranger, id)).code).toBe('webhook_subscription_not_found')
    const listed = await stack.send('listWebhookDeliveries', stranger, { params: { id } })
    expect(problemOf(listed).code).toBe('webhook_subscription_not_found')
    expect((await stack.list(stranger)).items).toEqual([])
  }
  expect((await stack.get(principal, id)).ok).toBe(true)
  expect(dataOf(await stack.remove(principal, id))).toBeNull()
  expect(problemOf(await stack.remove(principal, id)).code).toBe('webhook_subscription_not_found')
  expect(problemOf(await stack.get(principal, id)).code).toBe('webhook_subscription_not_found')
  for (const none of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
    expect(problemOf(await stack.get(principal, none)).code).toBe('webhook_subscription_not_found')
  expect(problemOf(await stack.get(principal, 'no-uuid')).code).toBe('validation_failed')
})

test('owner and client hold sixteen, however many are asked for at once on two replicas', async () => {
  const principal = newPrincipal()
  const replies = await Promise.all(Array.from({ length: 24 }, () => stack.create(principal, { url })))
  expect(replies.filter(({ ok }) => ok)).toHaveLength(16)
  const refused = replies.filter(({ ok }) => !ok).map((reply) => problemOf(reply).code)
  expect(new Set(refused)).toEqual(new Set(['webhook_subscription_limit_reached']))
  const [one] = (await stack.list(principal)).items
  expect((await stack.remove(principal, String(one?.id))).ok).toBe(true)
  expect((await stack.create(principal, { url })).ok).toBe(true)
  expect((await stack.create({ ...principal, client_id: 'client-two' }, { url })).ok).toBe(true)
})

test('pages are newest first and their cursors are good for this client alone', async () => {
  const principal = newPrincipal()
  const made: string[] = []
  for (let n = 0; n < 3; n += 1) made.push(dataOf(await stack.create(principal, { url })).id)
  // Ids of one millisecond are in no order of time.
  const newestFirst = made.toSorted().toReversed()
  const first = await stack.list(principal, { limit: '2' })
  const cursor = String(first.next_cursor)
  const second = await stack.list(principal, { limit: '2', cursor })
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(newestFirst)
  expect(second.next_cursor).toBeNull()
  const foreign = { ...principal, client_id: 'client-two' }
  const refused = await stack.send('listWebhookSubscriptions', foreign, { query: { limit: '2', cursor } })
  expect(problemOf(refused).code).toBe('validation_failed')
})

test('without a signing key none can be made, and no key is published', async () => {
  expect(problemOf(await off.create(newPrincipal(), { url })).code).toBe('webhooks_unavailable')
  expect(await call(off.gateway, 'rpc.notifier.keys', null, newContext(2_000))).toEqual({ keys: [] })
  const { keys } = await call(stack.gateway, 'rpc.notifier.keys', null, newContext(2_000))
  expect(keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', kid: 'k' }])
})
