import { createSecretKey } from 'node:crypto'
import { concretePath, requestHash } from '@financial-agents/contract/canonical-request'
import { expect, test } from 'vitest'
import { matchPath, readAskedRequest } from './asked-request.ts'
import type { ConfirmedAction } from './confirmed-actions.ts'

const action = (over: Partial<ConfirmedAction>): ConfirmedAction => ({
  method: 'POST',
  path: '/v1/mandates/{mandate_id}/revoke',
  scope: 'spending:withdraw',
  hasBody: false,
  summarise: async () => 'words',
  ...over,
})

const key = createSecretKey(Buffer.alloc(32, 1))

test.each([
  ['/v1/mandates/abc/revoke', { mandate_id: 'abc' }],
  ['/v1/mandates/a%2Fb/revoke', { mandate_id: 'a/b' }],
  ['/v1/%6Dandates/a%20b/revoke', { mandate_id: 'a b' }],
])('the path %s is read as the router reads it, and comes out in the one spelling', (path, params) => {
  const asked = readAskedRequest(action({}), { path })
  expect(asked).toMatchObject({
    method: 'POST',
    params,
    path: concretePath('/v1/mandates/{mandate_id}/revoke', params),
  })
})

test.each([
  '/v1/mandates//revoke',
  '/v1/mandates/abc/revoke/',
  '/v1/mandates/abc/revoke?x=1',
  '/v1/mandates/abc/revoke#x',
  '/v1/mandates/a?b/revoke',
  '/v1/mandates/abc',
  '/v1/mandates/%zz/revoke',
  'v1/mandates/abc/revoke',
  'https://api.example.test/v1/mandates/abc/revoke',
  '/V1/mandates/abc/revoke',
  '',
])('the path %j is none of the action', (path) => {
  expect(matchPath('/v1/mandates/{mandate_id}/revoke', path)).toBeUndefined()
  expect(() => readAskedRequest(action({}), { path })).toThrow(
    expect.objectContaining({
      data: expect.objectContaining({ fields: [expect.objectContaining({ path: 'request.path' })] }),
    }),
  )
})

test('the hash is that of the request itself, in whatever order and spelling its body comes', () => {
  const asked = readAskedRequest(action({ path: '/v1/mandates', hasBody: true }), {
    path: '/v1/mandates',
    body: { b: 1.0, a: { d: '€', c: [1e3] } },
  })
  const sent = JSON.parse('{"a":{"c":[1000],"d":"\\u20ac"},"b":1}')
  expect(requestHash(key, asked)).toBe(requestHash(key, { method: 'POST', path: '/v1/mandates', body: sent }))
})

test('a body where there is none, and none where there is one, are named', () => {
  const wrong = (hasBody: boolean, body?: Record<string, unknown>) => () =>
    readAskedRequest(action({ path: '/v1/mandates', hasBody }), { path: '/v1/mandates', body })
  for (const refused of [wrong(true), wrong(false, {})])
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        data: expect.objectContaining({ fields: [expect.objectContaining({ path: 'request.body' })] }),
      }),
    )
})
