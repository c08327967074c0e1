import { expect, test } from 'vitest'
import { exceeds, minus, sameAmount } from './decimal.ts'

test('amounts are compared as numbers, exactly', () => {
  expect(exceeds('25.01', '25')).toBe(true)
  expect(exceeds('25', '25.00')).toBe(false)
  expect(exceeds('9.9', '10')).toBe(false)
  expect(exceeds('0.000000000000000001', '0')).toBe(true)
  expect(exceeds('999999999999999999.000000000000000001', '999999999999999999')).toBe(true)
  expect(sameAmount('3', '3.000')).toBe(true)
  expect(sameAmount('3', '3.001')).toBe(false)
})

test('what remains is exact', () => {
  expect(minus('25.00', '12.50')).toBe('12.50')
  expect(minus('15', '9.00')).toBe('6.00')
  expect(minus('1', '0.999')).toBe('0.001')
  expect(minus('5', '1')).toBe('4')
  expect(minus('0.10', '0.10')).toBe('0.00')
})
