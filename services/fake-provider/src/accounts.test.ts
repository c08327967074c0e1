/** The test users' accounts, which all differ, and the identity check, over HTTP with the real adapter. */

import { amara, daniel, ines, tomasz } from '@financial-agents/provider-http/testing/test-users'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type StartedProvider, startProvider } from './started.test-helper.ts'
import { testUsers } from './test-users.ts'

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterAll(() => fake.close())

const call = (credentials: string) => ({ credentials, timeoutMs: 60_000 })

it('no two test users have the same accounts, money, limits or payout schemas', async () => {
  const seen = new Set<string>()
  for (const { credentials } of testUsers) {
    const [accounts, spendingAccount, schemas, limits] = await Promise.all([
      fake.provider.accounts(call(credentials)),
      fake.provider.spendingAccount(call(credentials)),
      fake.provider.payoutSchemas(call(credentials)),
      fake.provider.withdrawalLimits({ ...call(credentials), schema: 'sepa_de_eur' }),
    ])
    for (const read of [accounts, spendingAccount, schemas, limits]) {
      expect(read.type).toBe('ok')
      expect(seen).not.toContain(JSON.stringify(read))
      seen.add(JSON.stringify(read))
    }
  }
})

it('an account comes in the words of the API, with a mask for a number', async () => {
  const read = await fake.provider.accounts(call(ines))
  expect(read.type === 'ok' ? read.data[0] : undefined).toEqual({
    reference: 'acc_ines_1',
    name: 'Conta à ordem',
    type: 'current',
    currency: 'EUR',
    status: 'active',
    balance: { available: { amount: '48250.75', currency: 'EUR' }, current: { amount: '48250.75', currency: 'EUR' } },
    masked_number: '4821',
    opened_at: '2019-03-11T09:00:00.000Z',
  })
})

it('withdrawal limits are those of the network and the test user, for the currency and the account asked for', async () => {
  const limits = (credentials: string, schema: string, more: object = {}) =>
    fake.provider.withdrawalLimits({ ...call(credentials), schema, ...more })
  expect(await limits(ines, 'swift_us_usd')).toEqual({
    type: 'ok',
    data: {
      currency: 'USD',
      minimum_amount: '25.00',
      maximum_amount: '50000.00',
      fee_fixed: '15.00',
      fee_basis_points: '25.5',
      rail: 'swift',
      memo: { supported: true, minimum_characters: 0, maximum_characters: 140 },
      purpose_codes: ['family_support', 'goods', 'salary', 'services'],
    },
  })
  expect(await limits(tomasz, 'sepa_de_eur')).toMatchObject({ data: { maximum_amount: '50.00' } })
  for (const none of [
    await limits(daniel, 'sepa_de_eur'),
    await limits(ines, 'unknown'),
    await limits(ines, 'sepa_de_eur', { currency: 'USD' }),
    await limits(ines, 'sepa_de_eur', { account_type: 'savings' }),
  ])
    expect(none).toEqual({ type: 'ok', data: null })
  expect(await limits(ines, 'sepa_de_eur', { currency: 'EUR', account_type: 'current' })).toMatchObject({
    data: { rail: 'sepa.credit_transfer' },
  })
})

it.each([
  ['pass', 'verified', null],
  ['review', 'in_review', null],
  ['refuse', 'rejected', 'document_unreadable'],
])('an identity check that ends with %s', async (ending, status, reason_code) => {
  await fake.control('PUT', '/control/clock', { offset_ms: 0 })
  const returnUrl = 'http://127.0.0.1:4000/kyc'
  const credentials = ending === 'pass' ? daniel : tomasz
  const request = { ...call(credentials), reference: ending, returnUrl }
  const started = await fake.provider.startIdentityCheck(request)
  expect(started.type).toBe('started')
  expect(await fake.provider.startIdentityCheck(request)).toEqual(started)
  const page = started.type === 'started' ? started.hostedUrl : ''
  expect(await (await fetch(page)).text()).toContain('name="ending"')
  expect((await fetch(page, { method: 'POST', body: new URLSearchParams() })).status).toBe(422)
  const decided = await fetch(page, { method: 'POST', body: new URLSearchParams({ ending }), redirect: 'manual' })
  expect(decided.headers.get('location')).toBe(returnUrl)
  expect(await fake.provider.identityStatus(call(credentials))).toMatchObject({ data: { status, reason_code } })
  await fake.control('PUT', '/control/clock', { offset_ms: 60 * 60_000 })
  expect((await fetch(page)).status).toBe(410)
})

it('whoever is known is not checked again, and whoever is not starts with nothing', async () => {
  const request = { ...call(amara), reference: 'known', returnUrl: null }
  expect(await fake.provider.startIdentityCheck(request)).toMatchObject({ type: 'refused' })
  expect(await fake.provider.identityStatus(call(amara))).toMatchObject({ data: { status: 'verified' } })
})
