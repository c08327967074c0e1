/**
 * Decisions §11: the requests that a bucket accepts, the waits that it reports, and the requests that replicas accept
 * together.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTokenBuckets, type Limit } from './token-buckets.ts'

const limits = fc.record({
  ratePerS: fc.oneof(
    fc.constantFrom(0.01, 0.1, 0.3, 1, 3, 7, 20, 1_000),
    fc.double({ min: 0.01, max: 50, noNaN: true }),
  ),
  burst: fc.integer({ min: 1, max: 40 }),
})

const at = (limit: Limit, startMs = Date.UTC(2026, 0, 1)) => {
  const clock = { nowMs: startMs }
  return { clock, buckets: createTokenBuckets({ limit, nowMs: () => clock.nowMs, maxBuckets: 10 }) }
}

describe('one bucket', () => {
  test('lets its burst through, then its rate', () => {
    const { clock, buckets } = at({ ratePerS: 2, burst: 3 })
    const taken = () => Array.from({ length: 5 }, () => buckets.take('a')).filter((waitMs) => waitMs === 0).length
    expect(taken()).toBe(3)
    clock.nowMs += 499
    expect(taken()).toBe(0)
    clock.nowMs += 1
    expect(taken()).toBe(1)
    clock.nowMs += 3_600_000
    expect(taken()).toBe(3)
    expect(buckets.take('b')).toBe(0)
  })

  test('keeps the wait that it reported, to the millisecond, after any spending, debt and refusals', () => {
    const steps = fc.array(fc.record({ pauseMs: fc.nat(5_000), takes: fc.nat(50), owed: fc.nat(60) }), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(
        limits,
        steps,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
        (limit, given, tries) => {
          const { clock, buckets } = at(limit)
          for (const { pauseMs, takes, owed } of given) {
            clock.nowMs += pauseMs
            buckets.owe('a', owed)
            for (let take = 0; take < takes; take += 1) buckets.take('a')
          }
          let waitMs = buckets.take('a')
          while (waitMs === 0) waitMs = buckets.take('a')
          const from = clock.nowMs
          for (const share of tries.toSorted((one, other) => one - other)) {
            clock.nowMs = from + Math.floor(waitMs * share * 0.999)
            if (clock.nowMs + 1 < from + waitMs) expect(buckets.take('a')).toBeGreaterThan(0)
          }
          clock.nowMs = from + Math.ceil(waitMs)
          expect(buckets.take('a')).toBe(0)
        },
      ),
    )
  })

  test('owes at most sixteen bursts', () => {
    const { buckets } = at({ ratePerS: 1, burst: 10 })
    buckets.owe('a', 1_000_000)
    expect(buckets.take('a')).toBeCloseTo(161_000)
  })

  test('with a clock that is set back extends no wait, and loses no spending', () => {
    const { clock, buckets } = at({ ratePerS: 1, burst: 2 })
    for (const _ of [1, 2]) expect(buckets.take('a')).toBe(0)
    clock.nowMs -= 3_600_000
    expect(buckets.take('a')).toBeCloseTo(1_000)
    clock.nowMs += 1_000
    expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 1_000])
  })

  test('without a rate is without limit', () => {
    const { buckets } = at({ ratePerS: 0, burst: 1 })
    for (let take = 0; take < 100; take += 1) expect(buckets.take('a')).toBe(0)
  })

  test('that was forgotten is a full one', () => {
    const { buckets } = at({ ratePerS: 0.01, burst: 1 })
    expect(buckets.take('a')).toBe(0)
    for (let other = 0; other < 20; other += 1) buckets.take(`other-${other}`)
    expect(buckets.take('a')).toBe(0)
  })
})

/** Replicas that learn of each other's spending at most `lagMs` later. */
const lagMs = 250

function replicasOf(limit: Limit, count: number) {
  const clock = { nowMs: 0 }
  const replicas = Array.from({ length: count }, () =>
    createTokenBuckets({ limit, nowMs: () => clock.nowMs, maxBuckets: 10 }),
  )
  const coming: { atMs: number; to: number }[] = []
  const advance = (toMs: number) => {
    for (const { atMs, to } of coming.toSorted((a, b) => a.atMs - b.atMs).filter(({ atMs }) => atMs <= toMs)) {
      clock.nowMs = atMs
      replicas[to]?.owe('a', 1)
    }
    coming.splice(0, coming.length, ...coming.filter(({ atMs }) => atMs > toMs))
    clock.nowMs = toMs
  }
  const take = (replica: number, delaysMs: readonly number[]) => {
    const waitMs = replicas[replica]?.take('a') as number
    if (waitMs > 0) return waitMs
    for (let to = 0; to < count; to += 1)
      if (to !== replica) coming.push({ atMs: clock.nowMs + (delaysMs[to] ?? 0), to })
    return 0
  }
  return { clock, advance, take }
}

const delays = fc.array(fc.nat(lagMs), { minLength: 4, maxLength: 4 })
const request = fc.record({ pauseMs: fc.oneof(fc.nat(20), fc.nat(400)), replica: fc.nat(3), delays })

describe('replicas together', () => {
  test('accept at most their bound within any time', () => {
    const counts = fc.integer({ min: 1, max: 4 })
    fc.assert(
      fc.property(limits, counts, fc.array(request, { minLength: 50, maxLength: 400 }), (limit, count, requests) => {
        const { clock, advance, take } = replicasOf(limit, count)
        const throughAtMs: number[] = []
        for (const { pauseMs, replica, delays: delaysMs } of requests) {
          advance(clock.nowMs + pauseMs)
          if (take(replica % count, delaysMs) === 0) throughAtMs.push(clock.nowMs)
        }
        for (const [from, fromMs] of throughAtMs.entries())
          for (const [to, toMs] of throughAtMs.entries())
            if (to >= from) {
              const seconds = (toMs - fromMs + (count - 1) * lagMs) / 1_000
              expect(to - from + 1).toBeLessThanOrEqual(count * limit.burst + limit.ratePerS * seconds + 1e-6)
            }
      }),
      { numRuns: 60 },
    )
  })

  test('accept an obedient client: at the first try if all was exchanged, otherwise at the second', () => {
    fc.assert(
      fc.property(limits, fc.array(request, { minLength: 20, maxLength: 120 }), (limit, requests) => {
        const count = 4
        const { clock, advance, take } = replicasOf(limit, count)
        let refusals = 0
        let throughAtMs = Number.NEGATIVE_INFINITY
        let reportedWhenRefused = false
        for (const { pauseMs, replica, delays: delaysMs } of requests) {
          if (refusals === 0) advance(clock.nowMs + pauseMs)
          const waitMs = take(replica, delaysMs)
          if (waitMs === 0) {
            throughAtMs = clock.nowMs
            refusals = 0
            reportedWhenRefused = false
            continue
          }
          // A request refused before all spending was exchanged may be refused once more. After that it is never
          // refused again.
          expect(reportedWhenRefused).toBe(false)
          expect(refusals).toBeLessThan(2)
          refusals += 1
          reportedWhenRefused = clock.nowMs - throughAtMs > lagMs
          advance(clock.nowMs + Math.ceil((waitMs + lagMs) / 1_000) * 1_000)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('never refuse a client that stays within rate and burst, wherever its requests go', () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 100, maxLength: 300 }), (requests) => {
        const limit = { ratePerS: 20, burst: 40 }
        const { clock, advance, take } = replicasOf(limit, 4)
        for (const { pauseMs, replica, delays: delaysMs } of requests) {
          advance(clock.nowMs + Math.max(50, pauseMs))
          expect(take(replica, delaysMs)).toBe(0)
        }
      }),
      { numRuns: 40 },
    )
  })
})
