/** The log of requests names routes, and never a token, a key, an identifier or a body. */

import { expect, test } from 'vitest'
import { answered, fakeApi, lost, operation } from './fake-api.test-helper.ts'
import { entryOf, type Hooks } from './request-log.ts'

const payment = { allowance: 'm-1', amount: '9.90', currency: 'EUR', intent: 'rent' }

test('each request, repetition and answer is an entry', async () => {
  const log: unknown[] = []
  const hooks: Hooks = {
    onRequest: (entry) => log.push(entry),
    onResponse: ({ headers: _headers, ...entry }) => log.push(entry),
    onRepeat: (entry) => log.push(entry),
  }
  const done = answered(operation('op-1', 'succeeded'), 202, { 'x-request-id': 'request-1' })
  await fakeApi(lost, done)
    .agent({ ...hooks, retryForMs: 60_000 })
    .pay(payment)
  const entry = { method: 'POST', path: '/v1/mandates/{mandate_id}/transfers' }
  expect(log).toEqual([
    entry,
    { ...entry, reason: 'unanswered', afterMs: expect.any(Number) },
    entry,
    { ...entry, status: 202, requestId: 'request-1', ms: expect.any(Number) },
  ])
  expect(JSON.stringify(log)).not.toMatch(/m-1|9\.90|token-1|rent/)
})

test.each([
  ['/v1/operations/op-1', '/v1/operations/{id}'],
  ['/v1/operations?idempotency_key=secret', '/v1/operations'],
  ['/v1/accounts/withdrawal-limits?schema=s', '/v1/accounts/withdrawal-limits'],
  ['/v1/to-come/one', '/v1/to-come/one'],
])('%s is logged as %s', (path, template) => {
  expect(entryOf({ method: 'GET', path })).toEqual({ method: 'GET', path: template })
})

test('an error of `onRequest` passes as it is: nothing was sent', async () => {
  const broken = new Error('the log is full')
  const api = fakeApi()
  const onRequest = () => {
    throw broken
  }
  await expect(api.agent({ onRequest }).pay(payment)).rejects.toBe(broken)
  expect(api.asked).toEqual([])
})

test('an error of `onResponse` leaves a payment uncertain', async () => {
  const onResponse = () => {
    throw new Error('the log is full')
  }
  const paying = fakeApi(answered(operation(), 202)).agent({ onResponse }).pay(payment)
  await expect(paying).rejects.toMatchObject({ code: 'outcome_unknown', submissionUncertain: true })
})
