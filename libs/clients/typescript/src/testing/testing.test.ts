/** The fake API by which applications test their agents: each fault is what the client says about it, and no payment is made twice. */

import { expect, test } from 'vitest'
import { type Agent, memoryStore } from '../client.ts'
import { type FakeApi, type FaultName, fakeApi } from './testing.ts'

const rui = {
  intent: 'rui',
  name: 'Rui',
  country: 'PT',
  currency: 'EUR',
  details: { iban: 'PT50000201231234567890154' },
}
const rent = { intent: 'rent', amount: '12.50', currency: 'EUR', reference: 'Rent' }

/** `timeoutMs: 0` does not wait for the outcome. */
async function payRent(agent: Agent, more: { timeoutMs?: number } = {}) {
  return agent.pay({ ...rent, payee: await agent.payee(rui), ...more })
}

const clientOf = (api: FakeApi) => api.agent({ store: memoryStore(), retryForMs: 0 })

test('a payment is made once, however often it is asked for, and is told with its payee', async () => {
  const api = fakeApi()
  const agent = clientOf(api)
  const outcome = await payRent(agent)
  expect((await payRent(agent)).operation).toEqual(outcome.operation)
  const [payee] = (await agent.beneficiaries.list()).items
  expect(api.payments).toEqual([
    {
      operation: outcome.operation.id,
      payee: payee?.id,
      allowance: null,
      amount: '12.50',
      currency: 'EUR',
      reference: 'Rent',
    },
  ])
  expect(api.requests.filter((one) => one === 'POST /v1/spending-account/withdrawals')).toHaveLength(1)
})

test('a payment under an allowance is paid to its payee', async () => {
  const api = fakeApi()
  const agent = clientOf(api)
  const payee = await agent.payee(rui)
  const terms = { perPayment: '20', total: '20', payments: 1, until: '2030-01-01T00:00:00.000Z' }
  const allowance = await agent.allowance({ intent: 'bread', payee, ...terms })
  expect((await agent.pay({ ...rent, allowance })).status).toBe('succeeded')
  expect(api.payments).toMatchObject([{ payee: payee.id, allowance: allowance.id }])
})

test.each<[FaultName, object, number]>([
  ['request_lost', { code: 'unreachable', submissionUncertain: true }, 0],
  ['answer_lost', { code: 'unreachable', submissionUncertain: true }, 1],
  ['no_connection', { code: 'unreachable', submissionUncertain: false }, 0],
  ['no_answer', { code: 'unreachable', submissionUncertain: true }, 0],
  ['portal', { code: 'http_403', submissionUncertain: true }, 0],
  ['access_ended', { code: 'access_ended' }, 0],
  ['rate_limited', { code: 'rate_limited', submissionUncertain: false }, 0],
  ['validation_failed', { code: 'validation_failed', submissionUncertain: false }, 0],
  ['grant_ceiling_exceeded', { code: 'grant_ceiling_exceeded', status: 409 }, 0],
])('the fault %s is an error, and the same intent then pays once', async (name, error, paid) => {
  const api = fakeApi()
  const agent = clientOf(api)
  api.fault(name)
  await expect(payRent(agent)).rejects.toMatchObject(error)
  expect(api.payments).toHaveLength(paid)
  if (name !== 'access_ended') expect((await payRent(agent)).status).toBe('succeeded')
  else await expect(payRent(agent)).rejects.toMatchObject(error)
  expect(api.payments).toHaveLength(name === 'access_ended' ? 0 : 1)
})

test.each<FaultName>(['answer_cut', 'acceptance_unknown'])('after %s the payment is found by its key', async (name) => {
  const api = fakeApi()
  api.fault(name)
  expect((await payRent(clientOf(api))).status).toBe('succeeded')
  expect(api.payments).toHaveLength(1)
})

test.each<[FaultName, string, string]>([
  ['refuse', 'failed', 'failed'],
  ['fail', 'still_running', 'failed'],
  ['accept_drop_reply', 'indeterminate', 'succeeded'],
  ['drop_before_accept', 'indeterminate', 'failed'],
  ['settle_later', 'still_running', 'succeeded'],
])('the fault %s of the provider is the outcome %s, and later %s', async (name, first, last) => {
  const api = fakeApi()
  const agent = clientOf(api)
  api.fault(name)
  expect((await payRent(agent, { timeoutMs: 0 })).status).toBe(first)
  api.settle()
  expect((await payRent(agent)).status).toBe(last)
})

test('a fault can be that of another method, and a read can have an answer', async () => {
  const api = fakeApi()
  const agent = clientOf(api)
  await expect(agent.accounts.list()).rejects.toMatchObject({ code: 'route_not_found' })
  api.answer('accounts.list', { items: [{ id: 'one' }], next_cursor: null })
  api.fault('insufficient_scope', { on: 'accounts.list', times: 2 })
  for (const _ of [1, 2]) await expect(agent.accounts.list()).rejects.toMatchObject({ code: 'insufficient_scope' })
  expect((await agent.accounts.list()).items).toMatchObject([{ id: 'one' }])
})
