import { expect, test } from 'vitest'
import { addDecimals, subtractDecimals } from './decimals.ts'

test.each([
  ['100', '100', '0'],
  ['100', '0', '100'],
  ['100', '49.5', '50.5'],
  ['10.50', '0.5', '10'],
  ['1', '0.000000000000000001', '0.999999999999999999'],
  ['0.05', '0.04', '0.01'],
])('%s less %s is %s', (one, other, rest) => expect(subtractDecimals(one, other)).toBe(rest))

test.each([
  [[], '0'],
  [['5'], '5'],
  [['10.5', '0.50', '9'], '20'],
  [['1', '0.000000000000000001'], '1.000000000000000001'],
])('%j together are %s', (amounts, sum) => expect(addDecimals(amounts)).toBe(sum))
