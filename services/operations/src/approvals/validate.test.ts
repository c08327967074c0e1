import { describe, expect, test } from 'vitest'
import type { OpenApproval } from './item.ts'
import { type Answer, validate } from './validate.ts'

const start = Date.parse('2026-11-20T12:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1_000)
const pauses = { retryMs: 1_000, longestMs: 60_000 }
const operation = {
  operation_id: '01980000-0000-7000-8000-0000000000ee',
  kind: 'transfer',
  binding_id: 'binding',
  target_reference: null,
  traceparent: '',
  payload_sealed: null,
  failures: 0,
  created_at: at(0),
} as const
const unprepared: OpenApproval = {
  ...operation,
  state: 'unprepared',
  approval: null,
  expires_at: null,
  poll_after_ms: null,
}
const waiting: OpenApproval = {
  ...operation,
  state: 'waiting',
  approval: 'approval',
  expires_at: at(600),
  poll_after_ms: 2_000,
}
const said = (item: OpenApproval, answer: Answer, asked: number, now = asked) =>
  validate(item, answer, { asked: at(asked), now: at(now) }, pauses)
const unavailable: Answer = { type: 'unavailable', reason: 'provider_timeout' }

describe('what ends an operation', () => {
  test('is not an answer to a question put before the page was over', () => {
    expect(said(waiting, { type: 'pending' }, 599, 601)).toMatchObject({ type: 'later' })
    expect(said(waiting, { type: 'pending' }, 600)).toMatchObject({ event: 'approval_expired' })
  })

  test('is no want of an answer, however old it is', () => {
    for (const item of [unprepared, waiting])
      expect(said(item, unavailable, 10_000_000)).toMatchObject({ type: 'later', failures: 1 })
  })

  test('is a connection that the provider does not know any more, once the page is over', () => {
    const unknown: Answer = { type: 'unavailable', reason: 'provider_authentication_failed' }
    expect(said(waiting, unknown, 599, 601)).toMatchObject({ type: 'later' })
    expect(said(waiting, unknown, 600)).toMatchObject({ event: 'approval_expired', state: 'expired' })
    expect(said(unprepared, unknown, 10_000_000)).toMatchObject({ type: 'later' })
  })

  test('is overruled by `granted`, however late', () => {
    expect(said(waiting, { type: 'granted' }, 10_000_000)).toMatchObject({ event: 'approval_granted' })
  })
})

describe('the next question', () => {
  test.each([
    [1, 3],
    [20, 25],
    [100, 125],
    [400, 460],
    [580, 600],
    [599, 600],
  ])('after one at %s s that was answered `pending` comes at %s s', (now, next) => {
    expect(said(waiting, { type: 'pending' }, now)).toEqual({ type: 'later', nextCheckAt: at(next), failures: 0 })
  })

  test.each([
    [0, 1],
    [3, 8],
    [6, 60],
    [1_000, 60],
  ])('after %s without an answer comes %s s later', (failures, seconds) => {
    expect(said({ ...waiting, failures }, unavailable, 0)).toEqual({
      type: 'later',
      nextCheckAt: at(seconds),
      failures: failures + 1,
    })
  })

  test('comes when the page is over where that is before the provider wants to be asked', () => {
    const answer: Answer = {
      type: 'started',
      approval: 'a',
      hostedUrl: 'https://p.example',
      expiresAt: at(1),
      pollAfterMs: 2_000,
    }
    expect(said(unprepared, answer, 0)).toMatchObject({ type: 'started', nextCheckAt: at(1) })
  })
})
