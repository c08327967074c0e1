/** A wait ends with an outcome, or with an error of its own: never with the refusal of a payment that was accepted. */

import { expect, test } from 'vitest'
import { answered, fakeApi, operation, refused } from './fake-api.test-helper.ts'

const accepted = answered(operation(), 202)
const done = answered(operation('op-1', 'succeeded'))
const payment = { allowance: 'm-1', amount: '9.90', currency: 'EUR', intent: 'rent' }

test('an error of the callback ends the wait as its cause; the reason of the signal stays as it is', async () => {
  const action = { type: 'grant_approval', url: 'https://bank.example/a', poll_after_ms: 500, expires_at: null }
  const waiting = answered(operation('op-1', 'requires_action', { action_required: action }))
  const broken = new Error('the callback broke')
  const agent = fakeApi(accepted, waiting).agent({ onOwnerNeeded: () => Promise.reject(broken) })
  await expect(agent.pay(payment)).rejects.toMatchObject({ code: 'wait_failed', cause: broken })
  const enough = new Error('enough')
  const abort = new AbortController()
  const silent = fakeApi(accepted, () => {
    abort.abort(enough)
    return Response.json(operation())
  }).agent()
  await expect(silent.pay({ ...payment, signal: abort.signal })).rejects.toBe(enough)
})

test('an added payee that cannot be read is uncertain: it exists', async () => {
  const request = { intent: 'rui', name: 'Rui', country: 'PT', currency: 'EUR', details: {}, payoutSchema: 'sepa' }
  const api = fakeApi(
    answered(operation('op-1', 'succeeded', { kind: 'beneficiary_create' }), 202),
    refused('insufficient_scope', 403),
  )
  await expect(api.agent().payee(request)).rejects.toMatchObject({
    code: 'insufficient_scope',
    submissionUncertain: true,
  })
})

test.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40])(
  'a wait of %d ms goes on until there is an outcome',
  async (timeoutMs) => {
    const agent = fakeApi(accepted, answered(operation()), done).agent()
    expect((await agent.pay({ ...payment, timeoutMs })).status).toBe('succeeded')
  },
)

test('an attempt can take any time', async () => {
  const agent = fakeApi(answered(operation())).agent({ attemptTimeoutMs: Number.POSITIVE_INFINITY })
  expect((await agent.operations.get('op-1')).id).toBe('op-1')
})
