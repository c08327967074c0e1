/** The secret of a subscription is replaced in place: for a day both secrets sign, and nothing else changes. */

import type { Principal } from '@financial-agents/contract/principal'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startPruning } from './prune.ts'
import { type Receiver, startReceiver } from './receiver.test-helper.ts'
import { makeDue, type Stack, startStack } from './started.test-helper.ts'

let stack: Stack
let receiver: Receiver
const eventually = { timeout: 120_000, interval: 20 }
const dayMs = 86_400_000

beforeAll(async () => {
  stack = await startStack({})
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  stack.clock.setOffsetMs(0)
  await receiver.stop()
})
afterAll(() => stack.stop())

const verifies = (secret: string, { body, headers }: Receiver['received'][number]) => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

/** Waits until this many attempts are recorded: until then their delivery is leased, and cannot be made due. */
const recorded = (principal: Principal, id: string, attempts: number) =>
  vi.waitFor(
    async () => expect((await stack.deliveries(principal, id)).items).toMatchObject([{ attempts }]),
    eventually,
  )

async function received(count: number) {
  await vi.waitFor(() => expect(receiver.received).toHaveLength(count), eventually)
  return receiver.received[count - 1] as Receiver['received'][number]
}

test('for a day both secrets sign each attempt, under the id that the event has; then the new one alone', async () => {
  receiver.answer(500)
  const { principal, id, subscription } = await stack.subscribed(receiver.url)
  stack.move(principal, 'succeeded')
  const before = await received(1)
  const earliestMs = stack.clock.nowMs()
  const rotated = dataOf(await stack.rotate(principal, id))
  const latestMs = stack.clock.nowMs()
  const { secret, previous_secret_until, ...shown } = rotated
  expect(secret).not.toBe(subscription.secret)
  expect(Date.parse(previous_secret_until)).toBeGreaterThanOrEqual(earliestMs + dayMs)
  expect(Date.parse(previous_secret_until)).toBeLessThanOrEqual(latestMs + dayMs)
  expect(dataOf(await stack.get(principal, id))).toEqual(shown)
  await recorded(principal, id, 1)
  await makeDue(stack, id)
  const during = await received(2)
  expect(during.headers['webhook-id']).toBe(before.headers['webhook-id'])
  expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+ v1a,\S+$/)
  expect([subscription.secret, secret].map((one) => verifies(one, during))).toEqual([true, true])
  expect([subscription.secret, secret].map((one) => verifies(one, before))).toEqual([true, false])
  stack.clock.setOffsetMs(dayMs)
  await recorded(principal, id, 2)
  await makeDue(stack, id)
  const after = await received(3)
  expect(after.headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/)
  expect(after.headers['webhook-id']).toBe(before.headers['webhook-id'])
})

test('a repetition after a lost answer replaces the new secret alone: the receiver goes on verifying', async () => {
  const { principal, id, subscription } = await stack.subscribed(receiver.url)
  const lost = dataOf(await stack.rotate(principal, id))
  const known = dataOf(await stack.rotate(principal, id))
  stack.move(principal, 'succeeded')
  const attempt = await received(1)
  const signed = [subscription, lost, known].map(({ secret }) => verifies(secret, attempt))
  expect(signed).toEqual([true, false, true])
})

test('only its client replaces a secret', async () => {
  const { principal, id } = await stack.subscribed(receiver.url)
  for (const other of [newPrincipal(), { ...principal, client_id: 'another' }])
    expect(problemOf(await stack.rotate(other, id)).code).toBe('webhook_subscription_not_found')
  expect(dataOf(await stack.rotate(principal, id.toUpperCase())).id).toBe(id)
})

test('no secret is stored in the clear, and a previous one is deleted when its day is over', async () => {
  const { principal, id, subscription } = await stack.subscribed(receiver.url)
  dataOf(await stack.rotate(principal, id))
  const read = async () => {
    const [row] = await stack.db.rows<{ previous: Buffer | null }>(
      statement('test_previous', 'SELECT previous_secret_sealed AS previous FROM subscriptions WHERE id = $1'),
      [id],
    )
    return row?.previous ?? null
  }
  const bytes = Buffer.from(subscription.secret.slice('whsec_'.length), 'base64')
  expect((await read())?.includes(bytes)).toBe(false)
  stack.clock.setOffsetMs(dayMs)
  const pruning = startPruning({ ...stack, pauseMs: 10 })
  await vi.waitFor(async () => expect(await read()).toBeNull(), eventually)
  await pruning.stop()
})
