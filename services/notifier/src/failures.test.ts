/** Receivers that answer incorrectly or not at all, and addresses that start to lead elsewhere. */

import { createServer as createTcpServer } from 'node:net'
import { statement } from '@financial-agents/postgres/database'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { dataOf, newPrincipal } from '@financial-agents/testkit/test-service'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from './receiver.test-helper.ts'
import { eventually, makeDue, type Stack, startStack } from './started.test-helper.ts'

let stack: Stack
let receiver: Receiver

beforeAll(async () => {
  // No retry falls due by itself.
  stack = await startStack({ clock: createFrozenClock() })
})
afterAll(() => stack.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const count = (expected: number) => vi.waitFor(() => expect(receiver.received).toHaveLength(expected), eventually)

type Subscribed = Awaited<ReturnType<Stack['subscribed']>>

const oneDelivery = async (of: Stack, { principal, id }: Subscribed) => (await of.deliveries(principal, id)).items[0]
const becomes = (of: Stack, subscribed: Subscribed, expected: object) =>
  vi.waitFor(async () => expect(await oneDelivery(of, subscribed)).toMatchObject(expected), eventually)

/** Leases the subscription's deliveries as a process does that dies. The clock of the services stands still. */
const lease = (subscriptionId: string, ends: string) =>
  stack.db.rows(
    {
      name: '',
      text: `UPDATE deliveries SET lease_id = gen_random_uuid(), next_attempt_at = now() + $2::interval
      WHERE subscription_id = $1`,
    },
    [subscriptionId, ends],
  )

test('a failed delivery is tried again with the same id and the same bytes, signed for its own time', async () => {
  receiver.answer(500)
  const subscribed = await stack.subscribed(receiver.url)
  stack.move(subscribed.principal, 'succeeded')
  await becomes(stack, subscribed, { status: 'pending', attempts: 1, last_status_code: 500 })
  const next = Date.parse(String((await oneDelivery(stack, subscribed))?.next_attempt_at))
  // Five seconds after the attempt, more or less by a fifth.
  expect(next - stack.clock.nowMs()).toBeGreaterThanOrEqual(4_000)
  expect(next - stack.clock.nowMs()).toBeLessThanOrEqual(6_000)
  stack.clock.setOffsetMs(2_000)
  receiver.answer(200)
  await makeDue(stack, subscribed.id)
  await becomes(stack, subscribed, { status: 'delivered', attempts: 2, last_status_code: 200, next_attempt_at: null })
  const [first, second] = receiver.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toBe(first?.body)
  expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
  stack.clock.setOffsetMs(0)
  for (const { body, headers } of receiver.received) new Webhook(subscribed.subscription.secret).verify(body, headers)
})

test('after ten attempts in vain a delivery has failed', async () => {
  receiver.answer(503)
  const subscribed = await stack.subscribed(receiver.url)
  stack.move(subscribed.principal, 'succeeded')
  for (let attempts = 1; attempts <= 10; attempts += 1) {
    await becomes(stack, subscribed, { attempts })
    await makeDue(stack, subscribed.id)
  }
  await becomes(stack, subscribed, { status: 'failed', attempts: 10, last_status_code: 503, next_attempt_at: null })
  expect(receiver.received).toHaveLength(10)
  expect(dataOf(await stack.get(subscribed.principal, subscribed.id)).status).toBe('active')
})

describe('an answer that is no success is a failure', () => {
  test.each([199 + 101, 301, 302, 307, 308, 400, 401, 404, 429, 500])('%i', async (status) => {
    const other = await startReceiver()
    try {
      receiver.answer((_received, response) => void response.writeHead(status, { location: other.url }).end('moved'))
      const subscribed = await stack.subscribed(receiver.url)
      stack.move(subscribed.principal, 'succeeded')
      await becomes(stack, subscribed, { status: 'pending', attempts: 1, last_status_code: status })
      expect(other.received).toEqual([])
    } finally {
      await other.stop()
    }
  })

  test('and so is none at all', async () => {
    const closed = await startReceiver()
    const subscribed = await stack.subscribed(closed.url)
    await closed.stop()
    stack.move(subscribed.principal, 'succeeded')
    await becomes(stack, subscribed, { status: 'pending', attempts: 1, last_status_code: null })
  })

  test('and so are one that is no HTTP, and one whose head does not end', async () => {
    for (const says of ['no HTTP at all\r\n\r\n', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}\r\n`]) {
      const server = createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.end(says)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      const subscribed = await stack.subscribed(`http://127.0.0.1:${port}/`)
      stack.move(subscribed.principal, 'succeeded')
      await becomes(stack, subscribed, { status: 'pending', attempts: 1, last_status_code: null })
      server.close()
    }
  })
})

test('410 disables the subscription at once, and nothing else is sent', async () => {
  receiver.answer(500)
  const subscribed = await stack.subscribed(receiver.url)
  const { principal, id } = subscribed
  stack.move(principal, 'submitted')
  await becomes(stack, subscribed, { attempts: 1 })
  receiver.answer(410)
  stack.move(principal, 'succeeded')
  await vi.waitFor(async () => {
    const expected = { status: 'disabled', disabled_at: expect.any(String), disabled_reason: 'endpoint_gone' }
    expect(dataOf(await stack.get(principal, id))).toMatchObject(expected)
  }, eventually)
  receiver.answer(204)
  await vi.waitFor(async () => {
    await makeDue(stack, id)
    const { items } = await stack.deliveries(principal, id)
    expect(items.map(({ status }) => status)).toEqual(['failed', 'failed'])
  }, eventually)
  const other = await stack.subscribed(`${receiver.url}/other`, {}, principal)
  stack.move(principal, 'failed')
  await becomes(stack, other, { status: 'delivered' })
  expect(receiver.received).toHaveLength(3)
  expect((await stack.deliveries(principal, id)).items).toHaveLength(2)
})

test('after five days in which nothing succeeded the next failure disables; a success begins them anew', async () => {
  receiver.answer(500)
  const subscribed = await stack.subscribed(receiver.url)
  const { principal, id } = subscribed
  const failingFor = (days: number) =>
    stack.db.rows(
      statement('test_failing', `UPDATE subscriptions SET failing_since = now() - $2 * interval '1 day' WHERE id = $1`),
      [id, days],
    )
  stack.move(principal, 'submitted')
  await becomes(stack, subscribed, { attempts: 1 })
  await failingFor(4.9)
  await makeDue(stack, id)
  await becomes(stack, subscribed, { attempts: 2 })
  expect(dataOf(await stack.get(principal, id)).status).toBe('active')
  receiver.answer(204)
  await makeDue(stack, id)
  await becomes(stack, subscribed, { status: 'delivered' })
  receiver.answer(500)
  stack.move(principal, 'succeeded')
  await becomes(stack, subscribed, { attempts: 1, event_type: 'operation.succeeded' })
  expect(dataOf(await stack.get(principal, id)).status).toBe('active')
  await failingFor(5.1)
  await makeDue(stack, id)
  await becomes(stack, subscribed, { status: 'failed', attempts: 2 })
  const expected = { status: 'disabled', disabled_reason: 'endpoint_failing' }
  expect(dataOf(await stack.get(principal, id))).toMatchObject(expected)
})

describe('receivers that take their time', () => {
  let hurried: Stack
  beforeAll(async () => {
    hurried = await startStack({ timeoutMs: 1_500 })
  })
  afterAll(() => hurried.stop())

  test('an exchange that does not end in time is a failure', async () => {
    receiver.answer(() => {})
    const subscribed = await hurried.subscribed(receiver.url)
    hurried.move(subscribed.principal, 'succeeded')
    await becomes(hurried, subscribed, { status: 'pending', attempts: 1, last_status_code: null })
  })

  test('do not hold up those of other hosts', async () => {
    receiver.answer(() => {})
    const slow = await hurried.subscribed(receiver.url)
    const quickReceiver = await startReceiver()
    const quick = await hurried.subscribed(quickReceiver.url.replace('127.0.0.1', 'localhost'))
    for (let n = 0; n < 400; n += 1) hurried.move(slow.principal, 'succeeded')
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(4), eventually)
    const before = receiver.received.length
    for (let n = 0; n < 40; n += 1) hurried.move(quick.principal, 'succeeded')
    // One that was received too late on a busy machine comes again.
    const reported = () => new Set(quickReceiver.received.map(({ headers }) => headers['webhook-id']))
    await vi.waitFor(() => expect(reported().size).toBe(40), eventually)
    // Meanwhile the slots of the slow host have completed only a few rounds.
    expect(receiver.received.length - before).toBeLessThan(300)
    expect(receiver.mostAtOnce()).toBeLessThanOrEqual(4)
    await hurried.remove(slow.principal, slow.id)
    await quickReceiver.stop()
  })

  test('of an answer without an end no more than a little is read, and it counts by its status', async () => {
    let written = 0
    receiver.answer((_received, response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(65_536)
      const more = () => {
        while (!response.destroyed && written < 64 * 1_048_576) {
          written += chunk.length
          if (!response.write(chunk)) break
        }
      }
      response.on('drain', more)
      more()
    })
    const subscribed = await stack.subscribed(receiver.url)
    stack.move(subscribed.principal, 'succeeded')
    await becomes(stack, subscribed, { status: 'delivered', last_status_code: 200 })
    expect(written).toBeLessThan(16 * 1_048_576)
  })
})

test('a delivery whose process died is taken over when its lease ends, under the same id', async () => {
  receiver.answer(500)
  const subscribed = await stack.subscribed(receiver.url)
  stack.move(subscribed.principal, 'succeeded')
  await becomes(stack, subscribed, { attempts: 1 })
  receiver.answer(204)
  await lease(subscribed.id, '1 hour')
  const other = await stack.subscribed(receiver.url)
  stack.move(other.principal, 'succeeded')
  await becomes(stack, other, { status: 'delivered' })
  expect(await oneDelivery(stack, subscribed)).toMatchObject({ status: 'pending', attempts: 1 })
  await lease(subscribed.id, '-1 day')
  await becomes(stack, subscribed, { status: 'delivered', attempts: 2 })
  const [first, , third] = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(third).toBe(first)
})

describe('a name that leads elsewhere when it comes to a delivery', () => {
  test.each([
    ['to loopback', ['127.0.0.1']],
    ['to loopback as well', ['93.184.215.14', '127.0.0.1']],
    ['to an IPv4-mapped address', ['::ffff:127.0.0.1']],
    ['to a NAT64 address', ['64:ff9b::7f00:1']],
    ['to metadata', ['169.254.169.254']],
    ['nowhere', []],
  ])('%s: nothing is sent', async (_where, addresses) => {
    const answers = [['93.184.215.14']]
    const asked: string[] = []
    const rebinding = await startStack({
      loopback: 'refused',
      resolve: async (host) => {
        asked.push(host)
        return answers.shift() ?? addresses
      },
    })
    try {
      const subscribed = await rebinding.subscribed('https://rebind.example.com/in', {}, newPrincipal())
      rebinding.move(subscribed.principal, 'succeeded')
      await becomes(rebinding, subscribed, { status: 'pending', attempts: 1, last_status_code: null })
      expect(asked).toEqual(['rebind.example.com', 'rebind.example.com'])
      const reasons = rebinding.logLines.map((line) => (JSON.parse(line) as { reason?: string }).reason)
      expect(reasons).toContain('address_refused')
    } finally {
      await rebinding.stop()
    }
  })
})

test('a secret that cannot be opened is our own fault: nothing is sent, and it does not count against the receiver', async () => {
  const subscribed = await stack.subscribed(receiver.url)
  const secret = (sql: string) =>
    stack.db.rows({ name: '', text: `UPDATE subscriptions SET secret_sealed = ${sql} WHERE id = $1` }, [subscribed.id])
  await secret(`secret_sealed || '\\x00'`)
  stack.move(subscribed.principal, 'succeeded')
  const said = () => stack.logLines.filter((line) => line.includes('a delivery is taken again when its lease ends'))
  await vi.waitFor(() => expect(said()).toHaveLength(1), eventually)
  expect(await oneDelivery(stack, subscribed)).toMatchObject({ status: 'pending', attempts: 0 })
  await secret('substring(secret_sealed FOR length(secret_sealed) - 1)')
  await lease(subscribed.id, '-1 day')
  await becomes(stack, subscribed, { status: 'delivered', attempts: 1 })
})

test('a stored address that the rules do not allow any more is not used', async () => {
  const subscribed = await stack.subscribed(receiver.url)
  await stack.db.rows({ name: '', text: 'UPDATE subscriptions SET url = $2 WHERE id = $1' }, [
    subscribed.id,
    receiver.url.replace('http://127.0.0.1', 'http://10.0.0.1'),
  ])
  stack.move(subscribed.principal, 'succeeded')
  await becomes(stack, subscribed, { status: 'pending', attempts: 1, last_status_code: null })
  await count(0)
})
