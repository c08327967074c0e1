/** Features that the contract rejects are absent, or refused with the right error. */

import { beforeAll, describe, expect, test } from 'vitest'
import { clientNamed, freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectError } from './expectations.ts'
import { exchange, form } from './http.ts'
import { createParty, type Party } from './party.ts'

let web: Party
let spa: Party
beforeAll(() => {
  ;[web, spa] = [createParty(freshClient('web')), createParty(freshClient('spa'))]
})

describe.each([
  ['password', { username: 'ines', password: 'secret' }],
  ['implicit', {}],
  ['urn:ietf:params:oauth:grant-type:token-exchange', { subject_token: 'x', subject_token_type: 'x' }],
  ['urn:openid:params:grant-type:ciba', { auth_req_id: 'x' }],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', { assertion: 'x' }],
  ['urn:ietf:params:oauth:grant-type:saml2-bearer', { assertion: 'x' }],
  ['urn:ietf:params:oauth:grant-type:pre-authorized_code', { 'pre-authorized_code': 'x' }],
  ['constructor', {}],
  ['__proto__', {}],
])('the grant type %s', (grant_type, parameters) => {
  test('is unsupported, for a confidential, a public and a service client', async () => {
    for (const party of [web, spa, createParty(clientNamed('ines-agent'))])
      expectError(await party.token({ grant_type, ...parameters }), 400, 'unsupported_grant_type')
  })
})

describe('there is no', () => {
  test.each([
    ['dynamic client registration', 'POST', '/oauth/register'],
    ['dynamic client registration', 'POST', '/oauth/reg'],
    ['introspection', 'POST', '/oauth/introspect'],
    ['introspection', 'POST', '/oauth/token/introspection'],
    ['UserInfo', 'GET', '/oauth/userinfo'],
    ['UserInfo', 'GET', '/oauth/me'],
    ['backchannel authentication', 'POST', '/oauth/bc-authorize'],
    ['backchannel authentication', 'POST', '/oauth/backchannel'],
    ['end of session endpoint', 'GET', '/oauth/session/end'],
    ['end of session endpoint', 'GET', '/oauth/logout'],
    ['credential endpoint', 'POST', '/oauth/credential'],
    ['challenge endpoint', 'POST', '/oauth/challenge'],
    ['check session frame', 'GET', '/oauth/session/check'],
  ])('%s: %s %s is a 404 problem', async (_name, method, path) => {
    const answer = await exchange(environment().baseUrl + path, method, form, method === 'POST' ? 'a=b' : undefined)
    expect([answer.status, answer.body['code']]).toEqual([404, 'route_not_found'])
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  })
})

describe('a token is never taken', () => {
  test.each<[string, (token: string) => { path: string; headers: [string, string][] }]>([
    ['as a bearer token', (token) => ({ path: '/v1/operations', headers: [['authorization', `Bearer ${token}`]] })],
    ['in the address', (token) => ({ path: `/v1/operations?access_token=${token}`, headers: [] })],
    ['without a proof', (token) => ({ path: '/v1/operations', headers: [['authorization', `DPoP ${token}`]] })],
    ['in a cookie', (token) => ({ path: '/v1/operations', headers: [['cookie', `access_token=${token}`]] })],
  ])('%s', async (_name, make) => {
    const agent = createParty(clientNamed('ines-agent'))
    const { body } = await agent.token({ grant_type: 'client_credentials', scope: 'operations:read' })
    const { path, headers } = make(body['access_token'])
    const answer = await exchange(environment().baseUrl + path, 'GET', headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toMatch(/^DPoP /)
  })
})

test('a client certificate, asked for or claimed, is nothing', async () => {
  const answer = await web.token(
    { grant_type: 'refresh_token', refresh_token: 'x' },
    {
      assertion: null,
      headers: [
        ['x-forwarded-client-cert', 'Hash=abc'],
        ['x-ssl-client-cert', 'abc'],
      ],
    },
  )
  expectError(answer, 401, 'invalid_client')
})
