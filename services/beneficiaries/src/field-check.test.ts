import { expect, test } from 'vitest'
import { compileField, type PayoutField } from './field-check.ts'

const field = (changes: Partial<PayoutField>): PayoutField => ({
  key: 'k',
  label: 'Label',
  type: 'string',
  pattern: null,
  min_length: null,
  max_length: null,
  options: null,
  required: true,
  ...changes,
})

function check(changes: Partial<PayoutField>, value: string) {
  let unusable = false
  const message = compileField(field(changes), () => {
    unusable = true
  })(value)
  return { message, unusable }
}

test('a pattern has to match the whole value, anchored or not', () => {
  for (const pattern of ['[0-9]{3}', '^[0-9]{3}$', '^(?:[0-9]{3})$']) {
    expect(check({ pattern }, '123').message).toBeUndefined()
    for (const value of ['1234', 'a123', '123\u2028']) expect(check({ pattern }, value).message).toContain('matches')
  }
})

test('a pattern that would backtrack for ages is validated at once', () => {
  expect(check({ pattern: '^(a+)+$' }, `${'a'.repeat(500)}b`).message).toContain('matches')
  expect(check({ pattern: '^(?:a|a)*$' }, `${'a'.repeat(500)}b`).message).toContain('matches')
})

test('a pattern that cannot be run in linear time is left to the provider, and said', () => {
  expect(check({ pattern: '^(?=.*[0-9])[a-z0-9]+$' }, 'abc')).toEqual({ message: undefined, unusable: true })
})

test('letters of all scripts and code points beyond the first plane are characters', () => {
  expect(check({ pattern: '^\\p{L}+$' }, 'Łódź').message).toBeUndefined()
  expect(check({ min_length: 2, max_length: 2 }, '😀😀').message).toBeUndefined()
})

test.each([
  [{ min_length: 2, max_length: 4 }, 'a', 'Send 2 to 4 characters.'],
  [{ min_length: 4, max_length: 4 }, 'abc', 'Send exactly 4 characters.'],
  [{ max_length: 2 }, 'abc', 'Send at most 2 characters.'],
  [{ min_length: 2 }, 'a', 'Send at least 2 characters.'],
  [{ type: 'enum' as const, options: ['x', 'y'] }, 'z', 'Send one of: x, y.'],
  [{ pattern: '^[0-9]+$' }, 'a', 'Send a value that matches ^[0-9]+$.'],
  [{}, 'a\u0000', 'Send text without control characters.'],
  [{}, '\udc00', 'Send text without control characters.'],
])('%j says what to send instead of %j', (changes, value, message) => {
  expect(check(changes, value).message).toBe(message)
})
