import { expect, test } from 'vitest'
import { challenge, parseAuthorization } from './authorization-header.ts'

test.each(['DPoP', 'dpop', 'DPOP', 'dPoP'])('the scheme is accepted as %s', (scheme) => {
  expect(parseAuthorization(`${scheme} abc.def-g_h~i+j/k==`)).toEqual({ scheme: 'dpop', token: 'abc.def-g_h~i+j/k==' })
})

test('more than one space before the token is accepted', () => {
  expect(parseAuthorization('DPoP   token')).toEqual({ scheme: 'dpop', token: 'token' })
})

test.each([undefined, ''])('no header is missing credentials', (value) => {
  expect(parseAuthorization(value)).toEqual({ problem: 'missing' })
})

test.each(['Bearer abc', 'bearer abc', 'Basic YWJj', 'DPoPx abc', 'Digest a="b"'])('%s is another scheme', (value) => {
  expect(parseAuthorization(value)).toEqual({ problem: 'unsupported_scheme' })
})

test.each([
  'DPoP',
  'DPoP ',
  ' DPoP abc',
  'DPoP abc ',
  'DPoP abc def',
  'DPoP abc, DPoP def',
  'DPoP abc,def',
  'DPoP\tabc',
  'DPoP abc\n',
  'DPoP "abc"',
  'DPoP a=b',
  'DPoP ==',
  `DPoP${' '.repeat(4000)}\n`,
  'DPoP\n abc',
  '"DPoP" abc',
  'DPoP é',
  `DPoP ${'a'.repeat(8192)}`,
])('%j is malformed', (value) => {
  expect(parseAuthorization(value)).toEqual({ problem: 'malformed' })
})

test('a challenge without an error still names scheme and algorithm', () => {
  expect(challenge({})).toBe('DPoP algs="ES256"')
})

test('a challenge names everything it is given, in a fixed order', () => {
  expect(
    challenge({
      error: 'insufficient_scope',
      scope: 'accounts:read activity:read',
      errorDescription: 'More is needed.',
      realm: 'api',
      resourceMetadata: 'https://api.example/.well-known/oauth-protected-resource',
    }),
  ).toBe(
    'DPoP realm="api", error="insufficient_scope", error_description="More is needed.", ' +
      'scope="accounts:read activity:read", ' +
      'resource_metadata="https://api.example/.well-known/oauth-protected-resource", algs="ES256"',
  )
})

test('nothing in a value can leave its quotes or its header line', () => {
  expect(challenge({ errorDescription: 'a"b\\c\r\nSet-Cookie: d=é\u0000' })).toBe(
    `DPoP error_description="a'b?c??Set-Cookie: d=??", algs="ES256"`,
  )
})
