import type { KycStatus } from '@financial-agents/contract/schemas/kyc'
import { expect, test } from 'vitest'
import { nextReadAt, nextTryAt } from './kyc-schedule.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const pauseMs = (status: KycStatus, ageMs: number, visitLeftMs: number | null = null, random = 0.5) =>
  nextReadAt(
    {
      status,
      changed_at: new Date(now.getTime() - ageMs),
      follow_until: visitLeftMs === null ? null : new Date(now.getTime() + visitLeftMs),
    },
    now,
    random,
  ).getTime() - now.getTime()

test.each<[KycStatus, ageMs: number, pauseMs: number]>([
  ['not_started', 0, hourMs],
  ['verified', 0, hourMs],
  ['verified', 400 * dayMs, hourMs],
  ['rejected', 3 * dayMs, hourMs],
  ['expired', 3 * dayMs, hourMs],
  ['pending', 0, minuteMs],
  ['in_review', 8 * minuteMs, minuteMs],
  ['in_review', 40 * minuteMs, 5 * minuteMs],
  ['in_review', 3 * dayMs, 15 * minuteMs],
  ['pending', 400 * dayMs, 15 * minuteMs],
])('%s for %d ms is read again after %d ms', (status, ageMs, wanted) => {
  expect(pauseMs(status, ageMs)).toBe(wanted)
})

test('an open visit is followed closely, unless it has led to a verification', () => {
  expect(pauseMs('not_started', 0, 1)).toBe(15_000)
  expect(pauseMs('rejected', dayMs, 1)).toBe(15_000)
  expect(pauseMs('verified', 0, 1)).toBe(hourMs)
  expect(pauseMs('rejected', dayMs, 0)).toBe(hourMs)
})

test('a provider that dates a change years ahead is not asked more often for it', () => {
  expect(pauseMs('pending', -400 * dayMs)).toBe(15 * minuteMs)
})

test('owners of one moment are spread over a fifth either way', () => {
  expect([pauseMs('verified', 0, null, 0), pauseMs('verified', 0, null, 1)]).toEqual([0.8 * hourMs, 1.2 * hourMs])
  expect(nextTryAt(now, 0.5).getTime() - now.getTime()).toBe(hourMs)
})
