import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { newPrincipal, startStack } from '../started.test-helper.ts'

type LimitsRequest = { schema: string; currency?: string | undefined; account_type?: string | undefined }

/** The answer of a provider that the test controls. */
let state: ((asked: LimitsRequest) => unknown) | undefined
const asked: LimitsRequest[] = []
const stack = await startStack({
  adapt: (provider) => ({
    ...provider,
    withdrawalLimits: async ({ credentials, timeoutMs, ...query }) => {
      asked.push(query)
      if (state) return { type: 'ok', data: state(query) as never }
      return provider.withdrawalLimits({ credentials, timeoutMs, ...query })
    },
  }),
})
afterAll(() => stack.stop())
beforeEach(() => {
  state = undefined
  asked.length = 0
})

const read = (query: Record<string, string>, principal = newPrincipal()) =>
  stack.send('getWithdrawalLimits', principal, { query })
const limits = {
  currency: 'EUR',
  minimum_amount: '0.01',
  maximum_amount: '10.00',
  fee_fixed: '0.00',
  fee_basis_points: '25.5',
  rail: 'sepa.credit_transfer',
  memo: { supported: true, minimum_characters: 0, maximum_characters: 140 },
  purpose_codes: ['goods'],
}

test('the limits of a payout schema are what the provider states, and nothing else', async () => {
  expect(dataOf(await read({ schema: 'swift_us_usd', currency: 'USD', account_type: 'current' }))).toEqual({
    currency: 'USD',
    minimum_amount: '25.00',
    maximum_amount: '50000.00',
    fee_fixed: '15.00',
    fee_basis_points: '25.5',
    rail: 'swift',
    memo: { supported: true, minimum_characters: 0, maximum_characters: 140 },
    purpose_codes: ['family_support', 'goods', 'salary', 'services'],
  })
})

test.each([
  [{}, 'schema'],
  [{ schema: '' }, 'schema'],
  [{ schema: 'x'.repeat(513) }, 'schema'],
  [{ schema: 'sepa_pt_eur', currency: 'eur' }, 'currency'],
  [{ schema: 'sepa_pt_eur', currency: 'EURO' }, 'currency'],
  [{ schema: 'sepa_pt_eur', account_type: '' }, 'account_type'],
  [{ schema: 'sepa_pt_eur', account_type: 'x'.repeat(129) }, 'account_type'],
  [{ schema: 'sepa_pt_eur', other: 'x' }, 'other'],
])('a query of %j is refused by %s, and the provider is not asked', async (query, path) => {
  expect(problemOf(await read(query as Record<string, string>))).toMatchObject({
    code: 'validation_failed',
    fields: [{ path }],
  })
  expect(asked).toEqual([])
})

test('lengths are counted in characters, not in their halves', async () => {
  state = () => limits
  expect(dataOf(await read({ schema: '😀'.repeat(512), account_type: '😀'.repeat(128) }))).toEqual(limits)
})

test.each([
  [{ schema: 'sepa_xx_eur' }, ['schema'], /^Send the id/],
  [{ schema: 'sepa_xx_eur', currency: 'EUR', account_type: 'current' }, ['schema'], /^Send the id/],
  [{ schema: 'a\u0000&ccy=EUR' }, ['schema'], /^Send the id/],
  [{ schema: 'sepa_pt_eur', currency: 'USD' }, ['currency'], /^Send EUR/],
  [{ schema: 'sepa_pt_eur', account_type: 'savings' }, ['account_type'], /leave it out/],
  [{ schema: 'sepa_pt_eur', currency: 'EUR', account_type: 'savings' }, ['account_type'], /leave it out/],
  [{ schema: 'sepa_pt_eur', currency: 'USD', account_type: 'current' }, ['currency'], /^Send EUR/],
  [{ schema: 'sepa_pt_eur', currency: 'USD', account_type: 'savings' }, ['currency', 'account_type'], /^Send EUR/],
])('where the provider states none for %j, it says what to send instead', async (query, paths, message) => {
  const { code, fields } = problemOf(await read(query))
  expect(code).toBe('validation_failed')
  expect(fields?.map(({ path }) => path)).toEqual(paths)
  expect(fields?.[0]?.message).toMatch(message)
})

test('where each filter leaves some and both together none, both are named', async () => {
  state = ({ currency, account_type }) => (currency !== undefined && account_type !== undefined ? null : limits)
  const { fields } = problemOf(await read({ schema: 's', currency: 'EUR', account_type: 'current' }))
  expect(fields?.map(({ path }) => path)).toEqual(['currency', 'account_type'])
})

const secret = 'SECRET'

test('a member that the port does not have is not shown', async () => {
  state = () => ({ ...limits, scheme: secret })
  expect(dataOf(await read({ schema: 'sepa_pt_eur', currency: 'EUR' }))).toEqual(limits)
})

test.each([
  ['leading zeros', { minimum_amount: '00.01' }],
  ['an amount below zero', { fee_fixed: '-1' }],
  ['an exponent', { maximum_amount: '1e3' }],
  ['a fraction without digits', { fee_basis_points: '1.' }],
  ['a currency that is none', { currency: 'Eur' }],
  ['another currency than was asked for', { currency: 'USD' }],
  ['a rail in capitals', { rail: `sepa.${secret}` }],
  ['a rail without groups', { rail: 'sepa..instant' }],
  ['a rail without characters', { rail: '' }],
  ['a rail of 129 characters', { rail: 'a'.repeat(129) }],
  ['a memo beyond 8192 characters', { memo: { ...limits.memo, maximum_characters: 8193 } }],
  ['a memo length that is no whole number', { memo: { ...limits.memo, minimum_characters: 0.5 } }],
  ['a memo without support', { memo: { minimum_characters: 0, maximum_characters: 1 } }],
  ['257 purposes', { purpose_codes: Array.from({ length: 257 }, (_, index) => `${secret}${index}`) }],
  ['a purpose without characters', { purpose_codes: [''] }],
  ['a purpose of 129 characters', { purpose_codes: [secret.padEnd(129)] }],
  ['a missing member', { fee_fixed: undefined }],
])('limits with %s are 500, kept by nobody, and their content is in no log', async (_name, changes) => {
  const principal = newPrincipal()
  const query = { schema: 'sepa_pt_eur', currency: 'EUR' }
  state = () => ({ ...limits, ...changes })
  stack.logLines.length = 0
  expect(problemOf(await read(query, principal)).code).toBe('response_contract_failed')
  expect(stack.logLines.join('')).toContain('broke the contract')
  expect(stack.logLines.join('')).not.toContain(secret)
  state = () => limits
  expect(dataOf(await read(query, principal))).toEqual(limits)
})

test('a withdrawal and the route share what was read of a binding for some seconds', async () => {
  const principal = newPrincipal()
  const query = { schema: 'sepa_pt_eur', currency: 'EUR' }
  await Promise.all([read(query, principal), read(query, principal)])
  const beneficiary_id = stack.addBeneficiary(principal.owner_id)
  dataOf(await stack.withdraw(principal, { beneficiary_id, amount: '5', currency: 'EUR' }))
  expect(asked).toHaveLength(1)
  await read(query)
  expect(asked).toHaveLength(2)
})
