/** Decisions §11: the counts that replicas exchange over a real bus, and the waits that they tell clients. */

import type { Bus } from '@financial-agents/bus/connect'
import { startTestNats, type TestNats } from '@financial-agents/bus/testing/nats'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hearCounts } from './counts.test-helper.ts'
import { type RequestLimits, startRequestLimits } from './request-limits.ts'

const perGrant = { ratePerS: 1, burst: 10 }
const limits = { grant: perGrant, operator: perGrant, address: { ratePerS: 0.5, burst: 1 } }

let nats: TestNats
let nowMs: number
let started: RequestLimits[]
let buses: Bus[]

beforeEach(async () => {
  nats = await startTestNats()
  nowMs = Date.UTC(2026, 0, 1)
  started = []
  buses = []
})
afterEach(async () => {
  for (const one of started) one.stop()
  await nats.stop()
})

const startReplica = async (bootId: string, isConnected = () => true) => {
  const bus = await nats.connect('gateway')
  const replica = startRequestLimits({ bus, isConnected, bootId, nowMs: () => nowMs, limits })
  started.push(replica)
  buses.push(bus)
  await bus.check()
  // Waits until the earlier replicas have received the greeting of the new one.
  await Promise.all(buses.map((other) => other.check()))
  return replica
}
const spend = (replica: RequestLimits, times: number) =>
  Array.from({ length: times }, () => replica.take('grant', 'a')).filter((waitS) => waitS === 0).length

test('a single replica reports the exact wait, and one of several adds the lag', async () => {
  const first = await startReplica('first')
  expect([first.take('address', 'a'), first.take('address', 'a')]).toEqual([0, 2])
  nowMs += 1_000
  expect(first.take('address', 'a')).toBe(1)
  nowMs += 1_000
  expect(first.take('address', 'a')).toBe(0)
  await startReplica('second')
  expect(first.take('address', 'a')).toBe(3)
})

test('spending is exchanged for each class and key separately', async () => {
  const counts = await hearCounts(nats)
  const first = await startReplica('first')
  const second = await startReplica('second')
  expect(spend(first, 7)).toBe(7)
  await counts.heard('a', 7, buses)
  expect(spend(second, 12)).toBe(3)
  expect(second.take('grant', 'b')).toBe(0)
  expect(second.take('address', 'a')).toBe(0)
})

test('spending without the bus is not owed afterwards', async () => {
  let isConnected = false
  let exchanges = 0
  const first = await startReplica('first', () => {
    exchanges += 1
    return isConnected
  })
  const exchangeAgain = () => expect.poll(() => exchanges, { interval: 10 }).toBeGreaterThan(exchanges)
  const second = await startReplica('second')
  expect(spend(first, 10)).toBe(10)
  await exchangeAgain()
  isConnected = true
  await exchangeAgain()
  for (const bus of buses) await bus.check()
  expect(spend(second, 12)).toBe(10)
})
