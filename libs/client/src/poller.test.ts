/** A wait ends with an outcome, or with an error of its own: never with the refusal of a payment that was accepted. */

import { expect, test } from 'vitest'
import { answered, fakeApi, lost, operation, proxied, refused } from './fake-api.test-helper.ts'
import { memoryStore } from './stores/memory.ts'

const accepted = answered(operation(), 202)
const done = answered(operation('op-1', 'succeeded'))
const payment = { allowance: 'm-1', amount: '9.90', currency: 'EUR', intent: 'rent' }

test.each([
  ['403', refused('insufficient_scope', 403)],
  ['404', refused('operation_not_found', 404)],
  ['429 that does not pass', refused('rate_limited', 429)],
])(
  'a refused read (%s) ends the wait with an error of its own, and the same intent finds the payment',
  async (_, answer) => {
    const api = fakeApi(accepted, answer, answered(operation()), done)
    const agent = api.agent({ store: memoryStore() })
    await expect(agent.pay(payment)).rejects.toMatchObject({
      name: 'ClientError',
      code: 'wait_failed',
      submissionUncertain: true,
      message: expect.stringMatching(/operation op-1 .*goes on/),
      cause: expect.objectContaining({ name: 'ApiProblem' }),
    })
    expect((await agent.pay(payment)).status).toBe('succeeded')
    expect(api.asked.filter((path) => path.startsWith('POST'))).toHaveLength(1)
  },
)

test('failures of the API, and answers of something in between, do not end the wait', async () => {
  const passing = [
    refused('internal_error', 500),
    refused('service_unavailable', 503, { retryable: true }),
    proxied(404),
    lost,
  ]
  for (const answer of passing)
    expect((await fakeApi(accepted, answer, done).agent().pay(payment)).status).toBe('succeeded')
  const outcome = await fakeApi(accepted, refused('internal_error', 500))
    .agent()
    .pay({ ...payment, timeoutMs: 250 })
  expect(outcome.status).toBe('still_running')
})

test('the end of the access ends the wait, and the error names it', async () => {
  const api = fakeApi(accepted)
  api.token = () =>
    api.tokens === 1
      ? Response.json({ access_token: 'short', token_type: 'DPoP', expires_in: 1 })
      : Response.json({ error: 'invalid_grant' }, { status: 400 })
  await expect(api.agent().pay(payment)).rejects.toMatchObject({
    code: 'wait_failed',
    message: expect.stringContaining('agent.signIn()'),
    cause: expect.objectContaining({ code: 'access_ended' }),
  })
})

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

test('a wait by id ends with its own error too, unless there is no such operation', async () => {
  const failed = { code: 'wait_failed', submissionUncertain: true }
  for (const answer of [lost, refused('insufficient_scope', 403), refused('internal_error', 500)])
    await expect(fakeApi(answer).agent().wait('op-1')).rejects.toMatchObject(failed)
  await expect(fakeApi(refused('operation_not_found', 404)).agent().wait('op-1')).rejects.toMatchObject({
    name: 'ApiProblem',
    code: 'operation_not_found',
  })
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
  const agent = fakeApi(answered(operation())).agent({ timeoutMs: Number.POSITIVE_INFINITY })
  expect((await agent.operations.get('op-1')).id).toBe('op-1')
})
