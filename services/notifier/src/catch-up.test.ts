/**
 * A notifier that was away longer than the stream keeps its messages still sends notifications of the changes
 * meanwhile.
 */

import { randomUUIDv7 } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from './receiver.test-helper.ts'
import { eventually, type Stack, startStack } from './started.test-helper.ts'

let stack: Stack
let receiver: Receiver

beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const minuteMs = 60_000
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minuteMs)
const seenUntil = (until: Date) =>
  stack.db.rows(statement('test_seen', 'UPDATE seen_transitions SET until = $1'), [until])
/**
 * Notes `until` as the time until which the notifier has seen all changes, as if it had been away since. Repeats this until
 * `check` passes, because a catch-up under way overwrites the time with the present one.
 */
const awaySince = (until: Date, check: () => void) =>
  vi.waitFor(async () => (await seenUntil(until), check()), { ...eventually, interval: 1_000 })
const readSeen = async () => {
  const [row] = await stack.db.rows<{ until: Date }>(statement('test_read', 'SELECT until FROM seen_transitions'))
  return row?.until ?? new Date(0)
}
const hasCaughtUp = () =>
  vi.waitFor(async () => expect((await readSeen()).getTime()).toBeGreaterThan(Date.now() - minuteMs), eventually)
const madeLongAgo = (id: string) =>
  stack.db.rows(
    statement('test_old', `UPDATE subscriptions SET created_at = created_at - interval '1 day' WHERE id = $1`),
    [id],
  )

test('changes during an outage are notified once, by their present state, and creations are not', async () => {
  const { principal, id } = await stack.subscribed(receiver.url)
  await madeLongAgo(id)
  const [settled, created, before] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()]
  const movedAt = minutesAgo(30).toISOString()
  stack.operations.show(principal, settled, 'succeeded', 4, movedAt)
  stack.operations.show(principal, created, 'accepted', 1, minutesAgo(30).toISOString())
  stack.operations.show(principal, before, 'failed', 3, minutesAgo(90).toISOString())
  await awaySince(minutesAgo(60), () => expect(receiver.received).toHaveLength(1))
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ timestamp: movedAt })
  const { items } = await stack.deliveries(principal, id)
  expect(items).toMatchObject([{ operation_id: settled, event_type: 'operation.succeeded' }])
  await hasCaughtUp()
  await seenUntil(minutesAgo(60))
  await hasCaughtUp()
  expect((await stack.deliveries(principal, id)).items).toHaveLength(1)
})

test('it reads page after page', async () => {
  const { principal, id } = await stack.subscribed(receiver.url, { events: ['operation.succeeded'] })
  await madeLongAgo(id)
  for (let n = 0; n < 1_100; n += 1) {
    const state = n % 100 === 0 ? 'succeeded' : 'submitted'
    stack.operations.show(principal, randomUUIDv7(), state, 3, minutesAgo(30).toISOString())
  }
  await awaySince(minutesAgo(60), () => expect(receiver.received).toHaveLength(11))
  await hasCaughtUp()
})

test('while it hears of transitions it keeps how far it came, and asks for nothing', async () => {
  const { principal } = await stack.subscribed(receiver.url)
  const asked = stack.operations.caughtUp.length
  const begun = Date.now()
  await seenUntil(minutesAgo(1))
  stack.move(principal, 'succeeded')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), eventually)
  await vi.waitFor(async () => expect((await readSeen()).getTime()).toBeGreaterThanOrEqual(begun), eventually)
  expect(stack.operations.caughtUp).toHaveLength(asked)
})
