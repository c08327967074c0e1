import { expect, test } from 'vitest'
import { amountWords } from './amount-words.ts'

test.each([
  ['87.5', 'EUR', 'EUR 87.50'],
  ['0', 'EUR', 'EUR 0.00'],
  ['1234567.8', 'EUR', 'EUR 1,234,567.80'],
  ['+1.25e2', 'EUR', 'EUR 125.00'],
  ['5000.', 'EUR', 'EUR 5,000.00'],
  ['1500', 'JPY', 'JPY 1,500'],
  ['1', 'KWD', 'KWD 1.000'],
  ['1.5', 'HUF', 'HUF 1.50'],
  ['3', 'ZZZ', 'ZZZ 3'],
  ['0.000000000000000001', 'EUR', 'EUR 0.000000000000000001'],
  [
    '123456789012345678901234567890.123456789012345678',
    'EUR',
    'EUR 123,456,789,012,345,678,901,234,567,890.123456789012345678',
  ],
])('%s %s is %s, exactly', (amount, currency, words) => expect(amountWords(amount, currency)).toBe(words))
