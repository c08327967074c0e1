import { expect, it } from 'vitest'
import { findPlainDecimal } from './plain-decimal.ts'

it.each([
  ['12.5', '12.5'],
  ['+12.50', '12.5'],
  ['1.25e1', '12.5'],
  ['12.5E-1', '1.25'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['007', '7'],
  ['1e18', '1000000000000000000'],
  ['1e-18', '0.000000000000000001'],
  ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
])('%s is %s', (text, plain) => {
  expect(findPlainDecimal(text)).toBe(plain)
})

it.each(['', '0', '0.00', '-1', '1,5', ' 1', '0x10', 'Infinity', 'NaN', '1e9999', '1'.repeat(65), '++1', '.', 'e5'])(
  '%j is no positive decimal',
  (text) => {
    expect(findPlainDecimal(text)).toBeUndefined()
  },
)
