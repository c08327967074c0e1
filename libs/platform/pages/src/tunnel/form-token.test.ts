import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFormTokens } from './form-token.ts'

const secret = randomBytes(32)
const csrf = createFormTokens(secret, 'test')

test('a token is valid for its owner and id, at every replica', () => {
  expect(createFormTokens(secret, 'test').holds(csrf.token('session', 'a'), 'session', 'a')).toBe(true)
})

test('a token is valid for nothing else', () => {
  const token = csrf.token('session', 'a')
  expect(csrf.holds(token, 'session', 'b')).toBe(false)
  expect(csrf.holds(token, 'browser', 'a')).toBe(false)
  expect(createFormTokens(randomBytes(32), 'test').holds(token, 'session', 'a')).toBe(false)
  for (const given of [undefined, '', 'x', `${token}x`, token.slice(1), [token], null])
    expect(csrf.holds(given, 'session', 'a')).toBe(false)
})

test('the kind of owner cannot be moved into the id', () => {
  expect(csrf.token('session', '')).not.toBe(csrf.token('browser', ''))
  expect(csrf.holds(csrf.token('session', 'a\0b'), 'session', 'a')).toBe(false)
})
