import { expect, test } from 'vitest'
import { findMinorUnitDigits, validateAmount, validateMoney, writtenAmount } from './minor-units.ts'
import { signedMoney } from './schemas/account.ts'
import { createMandateTransferBody } from './schemas/mandate.ts'
import { money, statedMoney } from './schemas/primitives.ts'
import { createTransferQuoteBody } from './schemas/quote.ts'
import { createWithdrawalBody } from './schemas/withdrawal.ts'

// Copied from ISO 4217, not from the code.
test.each([
  ['JPY', 0],
  ['KRW', 0],
  ['XOF', 0],
  ['EUR', 2],
  ['GBP', 2],
  ['USD', 2],
  ['PLN', 2],
  ['HUF', 2],
  ['IDR', 2],
  ['COP', 2],
  ['KWD', 3],
  ['BHD', 3],
  ['IQD', 3],
])('%s has %i digits after the point', (currency, digits) => {
  expect(findMinorUnitDigits(currency)).toBe(digits)
})

test.each(['XXX', 'XTS', 'ZZZ', 'DEM', 'XAU', 'eur', ''])('%j is no currency in use', (currency) => {
  expect(findMinorUnitDigits(currency)).toBeUndefined()
})

test.each([
  ['12.5', 'EUR'],
  ['12.50', 'EUR'],
  ['12.500', 'EUR'],
  ['12.00000000000000000', 'JPY'],
  ['12', 'JPY'],
  ['0.125', 'KWD'],
])('%s %s is not too fine: its value counts', (amount, currency) => {
  expect(validateAmount(amount, currency)).toBeUndefined()
})

test.each([
  ['10.005', 'EUR', 'Send at most 2 digits after the point: EUR has no smaller unit.'],
  ['0.0100000000000001', 'EUR', 'Send at most 2 digits after the point: EUR has no smaller unit.'],
  ['0.001', 'GBP', 'Send at most 2 digits after the point: GBP has no smaller unit.'],
  ['1.5', 'JPY', 'Send a whole amount: JPY has no smaller unit.'],
  ['0.0001', 'KWD', 'Send at most 3 digits after the point: KWD has no smaller unit.'],
])('%s %s is too fine, and says how many digits there may be', (amount, currency, message) => {
  expect(validateMoney({ amount, currency })).toEqual([{ path: 'amount', message }])
})

const id = '01990000-0000-7000-8000-000000000000'
const quote = { source_currency: 'EUR', target_currency: 'JPY' }

test.each([
  ['a withdrawal', createWithdrawalBody, { beneficiary_id: id, amount: '10.005', currency: 'EUR' }, 'amount'],
  ['a withdrawal', createWithdrawalBody, { beneficiary_id: id, amount: '10', currency: 'XXX' }, 'currency'],
  ['a transfer under a mandate', createMandateTransferBody, { amount: '0.001', currency: 'GBP' }, 'amount'],
  ['a transfer under a mandate', createMandateTransferBody, { amount: '1', currency: 'DEM' }, 'currency'],
  ['a quote', createTransferQuoteBody, { ...quote, amount: '1.005', fixed_side: 'source' }, 'amount'],
  ['a quote', createTransferQuoteBody, { ...quote, amount: '1.5', fixed_side: 'target' }, 'amount'],
  [
    'a quote',
    createTransferQuoteBody,
    { ...quote, source_currency: 'XXX', amount: '1', fixed_side: 'source' },
    'source_currency',
  ],
  ['a policy', statedMoney, { amount: '20.001', currency: 'EUR' }, 'amount'],
])('%s names the field: %s %o', (_of, schema, body, path) => {
  expect(schema.safeParse(body).error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
})

test('a quote is validated by the currency of its fixed side', () => {
  expect(createTransferQuoteBody.safeParse({ ...quote, amount: '1.5', fixed_side: 'source' }).success).toBe(true)
})

test.each([
  ['5.1', 'EUR', '5.10'],
  ['5', 'EUR', '5.00'],
  ['5.100', 'EUR', '5.10'],
  ['0', 'EUR', '0.00'],
  ['-0.5', 'GBP', '-0.50'],
  ['100', 'JPY', '100'],
  ['100.00', 'JPY', '100'],
  ['0.5', 'KWD', '0.500'],
  ['999999999999999999', 'KWD', '999999999999999999.000'],
  // Digits that count are never dropped.
  ['0.125', 'EUR', '0.125'],
  ['0.1250', 'JPY', '0.125'],
  // No currency in use.
  ['0.5', 'XTS', '0.5'],
])('%s %s is written %s', (amount, currency, written) => {
  expect(writtenAmount(amount, currency)).toBe(written)
})

test('every amount of a response is written with the digits of its currency', () => {
  expect(money.parse({ amount: '5.1', currency: 'EUR' })).toEqual({ amount: '5.10', currency: 'EUR' })
  expect(signedMoney.parse({ amount: '-5', currency: 'KWD' })).toEqual({ amount: '-5.000', currency: 'KWD' })
})
