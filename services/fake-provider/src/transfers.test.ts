/** Direct withdrawals over HTTP with the real adapter: limits, money, networks that settle later, and approvals. */

import { amara, daniel, ines, tomasz } from '@financial-agents/provider-http/testing/test-users'
import type { SubmissionTarget } from '@financial-agents/provider-port/port'
import { beneficiaries, make, submission } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type StartedProvider, startProvider } from './started.test-helper.ts'

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterEach(async () => {
  await fake.control('DELETE', '/control/faults')
  await fake.control('PUT', '/control/clock', { offset_ms: 0 })
})
afterAll(() => fake.close())

const newBeneficiary = (credentials: string, payoutSchema: keyof typeof beneficiaries): Promise<SubmissionTarget> =>
  make(fake.provider, submission('beneficiary_create', { credentials, payload: beneficiaries[payoutSchema] }))

const order = (credentials: string, target: SubmissionTarget, payload: Record<string, unknown>) =>
  submission('transfer', { credentials, target, payload })

const held = async (credentials: string) => {
  const read = await fake.provider.spendingAccount({ credentials, timeoutMs: 60_000 })
  return read.type === 'ok' ? Number(read.data.held.amount) : Number.NaN
}

const refusedBefore = (reason: string) => ({ ...refusedFor(reason), type: 'refused' })
const refusedFor = (reason: string) => ({ type: 'failed', failureDetail: `The provider refused it (${reason}).` })

it('takes the amount from the spending account at once, in its currency, and gives back what failed', async () => {
  const beneficiary = await newBeneficiary(amara, 'sepa_de_eur')
  const before = await held(amara)
  await fake.provider.submit(order(amara, beneficiary, { amount: '116', currency: 'EUR' }))
  expect(await held(amara)).toBeCloseTo(before - 100, 2)
  await fake.control('POST', '/control/faults', { script: 'settle_later', times: 1 })
  await fake.provider.submit(order(amara, beneficiary, { amount: '116', currency: 'EUR' }))
  expect(await held(amara)).toBeCloseTo(before - 200, 2)
  await fake.control('POST', '/control/settle', { as: 'failed', reason: 'account_closed' })
  expect(await held(amara)).toBeCloseTo(before - 100, 2)
})

it('is refused outside the limits that were stated, in another currency, and without money', async () => {
  const beneficiary = await newBeneficiary(amara, 'fps_gb_gbp')
  const limits = await fake.provider.withdrawalLimits({ credentials: amara, timeoutMs: 60_000, schema: 'fps_gb_gbp' })
  const highest = limits.type === 'ok' ? Number(limits.data?.maximum_amount) : Number.NaN
  const pay = (payload: object) =>
    fake.provider.submit(order(amara, beneficiary, { currency: 'GBP', amount: '1', ...payload }))
  expect(await pay({ amount: String(highest) })).toMatchObject({ type: 'succeeded' })
  expect(await pay({ amount: `${highest}.01` })).toMatchObject(refusedFor('over_limit'))
  for (const amount of ['0.001', '1.005', '0.0100000000000001'])
    expect(await pay({ amount })).toMatchObject({
      ...refusedFor('amount_too_fine'),
      failureCode: 'provider_rejected_details',
    })
  expect(await pay({ currency: 'EUR' })).toMatchObject(refusedFor('wrong_currency'))
  expect(await pay({ memo: 'x'.repeat(141) })).toMatchObject(refusedFor('memo_length'))
  while ((await held(amara)) > highest) await pay({ amount: String(highest) })
  const broke = await pay({ amount: String(highest) })
  expect(broke).toMatchObject({ ...refusedFor('insufficient_funds'), failureCode: 'provider_refused' })
})

it('by a slow network is final after its time, without being asked', async () => {
  const beneficiary = await newBeneficiary(daniel, 'ach_us_usd')
  await fake.control('POST', '/control/faults', { script: 'approve', match: { kind: 'approval' } })
  const request = order(daniel, beneficiary, { amount: '25', currency: 'USD' })
  await fake.provider.prepareApproval({ ...request, returnUrl: null })
  const outcome = await fake.provider.submit(request)
  expect(outcome).toMatchObject({ type: 'submitted' })
  const asked = { ...request, upstreamReference: null }
  expect(await fake.provider.lookup(asked)).toMatchObject({ state: 'pending' })
  await fake.control('PUT', '/control/clock', { offset_ms: 61_000 })
  expect(await fake.provider.lookup(asked)).toMatchObject({ state: 'succeeded' })
})

it('needs an approval above what the person set, of exactly what was approved', async () => {
  const beneficiary = await newBeneficiary(ines, 'sepa_de_eur')
  const small = order(ines, beneficiary, { amount: '500', currency: 'EUR' })
  const large = order(ines, beneficiary, { amount: '500.01', currency: 'EUR' })
  expect(await fake.provider.prepareApproval({ ...small, returnUrl: null })).toEqual({ type: 'not_needed' })
  expect(await fake.provider.submit(small)).toMatchObject({ type: 'succeeded' })
  expect(await fake.provider.submit(large)).toMatchObject(refusedFor('approval_required'))
  await fake.control('POST', '/control/faults', { script: 'approve', match: { kind: 'approval' } })
  expect(await fake.provider.prepareApproval({ ...large, returnUrl: null })).toMatchObject({ type: 'started' })
  const other = { ...large, payload: { amount: '600', currency: 'EUR' } }
  expect(await fake.provider.submit(other)).toMatchObject(refusedFor('approval_required'))
  expect(await fake.provider.prepareApproval({ ...other, returnUrl: null })).toMatchObject({ type: 'refused' })
  expect(await fake.provider.submit(large)).toMatchObject({ type: 'succeeded' })
})

it('a revoked connection instructs nothing, reads on, and a new approval opens another', async () => {
  const beneficiary = await newBeneficiary(tomasz, 'sepa_de_eur')
  const other = `${tomasz}~another`
  const revoke = submission('transfer_grant_revoke', { credentials: tomasz })
  expect(await fake.provider.submit(revoke)).toMatchObject({ type: 'succeeded' })
  const pay = (credentials: string) =>
    fake.provider.submit(submission('beneficiary_create', { credentials, payload: beneficiaries.sepa_de_eur }))
  expect(await pay(tomasz)).toMatchObject(refusedFor('connection_revoked'))
  expect(await pay(other)).toMatchObject({ type: 'succeeded' })
  const asked = { ...order(tomasz, beneficiary, { amount: '1', currency: 'EUR' }), returnUrl: null }
  expect(await fake.provider.prepareApproval(asked)).toMatchObject(refusedBefore('connection_revoked'))
  expect(await fake.provider.lookup({ ...revoke, upstreamReference: null })).toMatchObject({ state: 'succeeded' })
  expect(await fake.provider.submit(revoke)).toMatchObject({ type: 'succeeded' })

  const returnUrl = 'http://127.0.0.1:4000/return'
  const started = await fake.provider.startDeviceAuthentication({ reference: 'again', returnUrl, timeoutMs: 60_000 })
  const form = { test_user: 'per_tomasz', decision: 'approve' }
  const page = started.type === 'started' ? started.hostedUrl : ''
  await fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  expect(await pay(tomasz)).toMatchObject({ type: 'succeeded' })
  expect(beneficiary.upstreamReference).toMatch(/^ben_/)
})
