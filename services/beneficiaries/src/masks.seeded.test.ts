import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { mask, maskDetails } from './masks.ts'

test.each([
  ['', ''],
  ['7', ''],
  ['42', '2'],
  ['123', '3'],
  ['1234', '34'],
  ['601613', '613'],
  ['31926819', '6819'],
  ['PT50000201231234567890154', '0154'],
  ['😀😀😀', '😀'],
])('%j is shown as %j', (value, shown) => {
  expect(mask(value)).toBe(shown)
})

test('a mask is the end of the value, at most four characters and at most half of it', () => {
  assert(
    property(string({ unit: 'binary' }), (value) => {
      const shown = mask(value)
      const length = Array.from(value).length
      expect(value.endsWith(shown)).toBe(true)
      expect(Array.from(shown).length).toBeLessThanOrEqual(Math.min(4, length / 2))
      expect(Array.from(shown).length).toBe(Math.min(4, Math.floor(length / 2)))
    }),
  )
})

test('only what the schema names is masked, under its label', () => {
  const open = { pattern: null, min_length: null, max_length: null, options: null }
  const field = { ...open, type: 'string', required: true } as const
  const schema = {
    id: 's',
    name: 'n',
    country: 'PT',
    currency: 'EUR',
    rail: 'r',
    example_details: {},
    fields: [
      { ...field, key: 'iban', label: 'IBAN' },
      { ...field, key: 'toString', label: '__proto__' },
    ],
  }
  expect(maskDetails(schema, { iban: '12345678', other: '87654321' })).toEqual({ IBAN: '5678' })
})
