import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCsrf } from './csrf.ts'

const secret = randomBytes(32)
const csrf = createCsrf(secret)

test('a token holds for what it was made for, at every replica', () => {
  expect(createCsrf(secret).holds(csrf.token('session', 'a'), 'session', 'a')).toBe(true)
})

test('a token holds for nothing else', () => {
  const token = csrf.token('session', 'a')
  expect(csrf.holds(token, 'session', 'b')).toBe(false)
  expect(csrf.holds(token, 'browser', 'a')).toBe(false)
  expect(createCsrf(randomBytes(32)).holds(token, 'session', 'a')).toBe(false)
  for (const given of [undefined, '', 'x', `${token}x`, token.slice(1), [token], null])
    expect(csrf.holds(given, 'session', 'a')).toBe(false)
})

test('the kind of owner cannot be moved into the id', () => {
  expect(csrf.token('session', '')).not.toBe(csrf.token('browser', ''))
  expect(csrf.holds(csrf.token('session', 'a\0b'), 'session', 'a')).toBe(false)
})
