import { Problem } from '@financial-agents/contract/problem'
import type { WithdrawalLimits } from '@financial-agents/provider-port/account-reads'
import { expect, test } from 'vitest'
import { checkLimits } from './check-limits.ts'

const memo = { supported: true, minimum_characters: 2, maximum_characters: 4 }
const limits: WithdrawalLimits = {
  currency: 'EUR',
  minimum_amount: '1.00',
  maximum_amount: '9.000000000000000001',
  fee_fixed: '0.00',
  fee_basis_points: '0',
  rail: 'sepa',
  memo,
  purpose_codes: ['goods', 'salary'],
}
const without = { ...memo, supported: false, minimum_characters: 0, maximum_characters: 0 }

function fieldsOf(body: Record<string, string>, changes: Partial<WithdrawalLimits> | null = {}) {
  const given = { beneficiary_id: 'b', amount: '5', currency: 'EUR', memo: 'memo', ...body }
  try {
    checkLimits(given, changes && { ...limits, ...changes })
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.data.fields ?? []).map(({ path, message }) => `${path}: ${message}`)
  }
}

test.each([
  ['0.999999999999999999', ["amount: Send at least 1.00 EUR, the provider's minimum."]],
  ['1', []],
  ['9.000000000000000001', []],
  ['9.000000000000000002', ["amount: Send at most 9.000000000000000001 EUR, the provider's maximum."]],
  ['100000000000000000', ["amount: Send at most 9.000000000000000001 EUR, the provider's maximum."]],
])('an amount of %s is validated exactly', (amount, wanted) => {
  expect(fieldsOf({ amount })).toEqual(wanted)
})

test.each([
  ['one character too few', 'a', memo, ['memo: Send 2 to 4 characters.']],
  ['as few as allowed', '😀😀', memo, []],
  ['as many as allowed, each of several bytes', '😀😀😀😀', memo, []],
  ['one too many', 'abcde', memo, ['memo: Send 2 to 4 characters.']],
  ['a line break', 'a\nb', memo, ['memo: Send text without control characters.']],
  ['half a character', 'a\ud800', memo, ['memo: Send text without control characters.']],
  ['one where none is taken', 'a', without, ['memo: Remove it: the provider takes no memo here.']],
  ['an empty one where none is taken', '', without, ['memo: Remove it: the provider takes no memo here.']],
])('a memo with %s', (_name, text, bounds, wanted) => {
  expect(fieldsOf({ memo: text }, { memo: bounds })).toEqual(wanted)
})

test('a memo that is not sent counts as one without characters', () => {
  const body = { beneficiary_id: 'b', amount: '5', currency: 'EUR' }
  expect(() => checkLimits(body, limits)).toThrow(Problem)
  expect(() => checkLimits(body, { ...limits, memo: { ...memo, minimum_characters: 0 } })).not.toThrow()
  expect(() => checkLimits(body, { ...limits, memo: without })).not.toThrow()
})

test('a purpose is one of those listed, any where none is listed, and need not be sent', () => {
  expect(fieldsOf({ purpose_code: 'salary' })).toEqual([])
  expect(fieldsOf({ purpose_code: 'rent' })).toEqual(['purpose_code: Send one of: goods, salary.'])
  expect(fieldsOf({ purpose_code: 'rent' }, { purpose_codes: [] })).toEqual([])
  expect(fieldsOf({ purpose_code: 'a\u0000' }, { purpose_codes: [] })).toHaveLength(1)
  expect(fieldsOf({})).toEqual([])
})

test('all that is wrong is reported at once', () => {
  const paths = fieldsOf({ amount: '10', memo: 'a', purpose_code: 'x' }).map((each) => each.split(':')[0])
  expect(paths).toEqual(['amount', 'purpose_code', 'memo'])
})

test('where the provider states no limits nothing is within them', () => {
  expect(fieldsOf({}, null)[0]).toMatch(/^beneficiary_id: Name another beneficiary/)
})
