import { createSecretKey } from 'node:crypto'
import { concretePath, requestHash } from '@financial-agents/contract/canonical-request'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { expect, test } from 'vitest'
import { matchPath, readAskedRequest } from './asked-request.ts'

const { createMandate, revokeMandate } = mandatesRoutes
const key = createSecretKey(Buffer.alloc(32, 1))

test.each([
  ['/v1/mandates/abc/revoke', { mandate_id: 'abc' }],
  ['/v1/mandates/a%2Fb/revoke', { mandate_id: 'a/b' }],
  ['/v1/%6Dandates/a%20b/revoke', { mandate_id: 'a b' }],
])('the path %s is read as the router reads it, and comes out in the one spelling', (path, params) => {
  const asked = readAskedRequest(revokeMandate, { path })
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
  expect(() => readAskedRequest(revokeMandate, { path })).toThrow(refusalOf(['request.path']))
})

const mandate = {
  beneficiary_id: '01980000-0000-7000-8000-00000000000a',
  per_payment_max: '+1.25e2',
  daily_max: '125',
  weekly_max: '125.0',
  monthly_max: '125',
  total_cap: '125',
  payment_count: 3,
  expires_at: '2027-01-01T10:00:00+01:00',
}

test('the hash is that of the request itself, in whatever order and spelling its body comes', () => {
  const asked = readAskedRequest(createMandate, { path: '/v1/mandates', body: mandate })
  const text = JSON.stringify(Object.fromEntries(Object.entries(mandate).toReversed()))
  const sent: unknown = JSON.parse(
    text.replace('"payment_count":3', '"payment_count":3.0').replace('"2027', '"\\u0032027'),
  )
  expect(requestHash(key, asked)).toBe(requestHash(key, { method: 'POST', path: '/v1/mandates', body: sent }))
})

test('a body where there is none, and none where there is one, are named', () => {
  const refused = [
    () => readAskedRequest(createMandate, { path: '/v1/mandates' }),
    () => readAskedRequest(revokeMandate, { path: '/v1/mandates/abc/revoke', body: {} }),
  ]
  for (const refusal of refused) expect(refusal).toThrow(refusalOf(['request.body']))
})

test('a body is validated as its route validates it, and what is refused is named from the request', () => {
  const body = { ...mandate, daily_max: '-1', payment_count: 0, total_cap: undefined, more: 1 }
  expect(() => readAskedRequest(createMandate, { path: '/v1/mandates', body })).toThrow(
    refusalOf(['request.body.daily_max', 'request.body.total_cap', 'request.body.payment_count', 'request.body.more']),
  )
})

function refusalOf(paths: string[]): unknown {
  const fields = paths.map((path) => expect.objectContaining({ path }))
  return expect.objectContaining({ code: 'validation_failed', data: expect.objectContaining({ fields }) })
}
