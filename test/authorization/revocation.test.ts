/**
 * The revocation endpoint: a confidential client ends its whole grant at every replica at once. An unknown token gets
 * 200.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectError, expectTokenRefused } from './expectations.ts'
import { authorize, obtainTokens, type Tokens } from './flow.ts'
import { haveHeard } from './heard.ts'
import { exchange } from './http.ts'
import { createParty, type Party, paths } from './party.ts'

let web: Party
let tokens: Tokens
const browser = () => createBrowser()
beforeAll(async () => {
  web = createParty(freshClient('web'))
  tokens = await obtainTokens(browser(), web)
})

const expectEmpty = ({ status, text, headers }: Awaited<ReturnType<Party['revoke']>>) => {
  expect([status, text]).toEqual([200, ''])
  expect(headers.get('cache-control') ?? '').not.toContain('public')
}
const expectStands = async () => expect((await web.refresh(tokens.refresh_token)).status).toBe(200)

test.each([
  ['an unknown value', () => 'unknown-value-unknown-value-unknown-value-1'],
  ['a value in the shape of a JWT', () => 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln'],
  ['a value that is no token at all', () => '\u0000\u{1f511}'],
  ['its access token', () => tokens.access_token],
  ['its ID token', () => tokens.id_token as string],
])('%s is answered 200 and changes nothing', async (_name, value) => {
  expectEmpty(await web.revoke(value()))
  await expectStands()
})

test('a wrong token_type_hint does not matter', async () => {
  expectEmpty(await web.revoke('unknown-value', { token_type_hint: 'access_token' }))
  expectEmpty(await web.revoke('unknown-value', { token_type_hint: 'nonsense' }))
})

test('the refresh token of another client is answered 200 and stays good', async () => {
  const stranger = createParty(freshClient('web'))
  expectEmpty(await stranger.revoke(tokens.refresh_token))
  await expectStands()
})

test('a client that does not authenticate is refused', async () => {
  expectError(await web.revoke(tokens.refresh_token, {}, { assertion: null }), 401, 'invalid_client')
  await expectStands()
})

test('a request without a token, or with two, is refused', async () => {
  expectError(await web.revoke(undefined), 400, 'invalid_request')
  expectError(await web.post(paths.revocation, { token: ['one', 'two'] }, {}, false), 400, 'invalid_request')
})

test.each(['GET', 'PUT', 'DELETE'])('the method %s is refused', async (method) => {
  expect((await exchange(environment().baseUrl + paths.revocation, method)).status).toBe(405)
})

test.each(['spa', 'native'] as const)('a %s client, which cannot authenticate, revokes nothing', async (profile) => {
  const party = createParty(freshClient(profile))
  const own = await obtainTokens(browser(), party)
  const answer = await party.revoke(own.refresh_token)
  expectError(answer, 400, 'unauthorized_client')
  expect((await party.refresh(own.refresh_token)).status).toBe(200)
})

describe('a revoked refresh token', () => {
  let party: Party
  let first: Tokens
  let second: Tokens
  beforeAll(async () => {
    party = createParty(freshClient('web'))
    const one = browser()
    first = await obtainTokens(one, party)
    second = await obtainTokens(one, party)
  })

  test('takes the whole grant with it, at every gateway from the answer on, and other refresh tokens too', async () => {
    const { baseUrl, secondUrl, gatewayHealth } = environment()
    for (const at of [baseUrl, secondUrl])
      for (const { access_token } of [first, second])
        expect((await party.call(access_token, '/v1/operations', { at })).status).toBe(200)
    expectEmpty(await party.revoke(first.refresh_token))
    // The gateway that carried the answer has read the change before it. The other gateway may read it a moment later.
    for (const { access_token } of [first, second])
      expectTokenRefused(await party.call(access_token, '/v1/operations', { at: baseUrl }))
    await haveHeard(gatewayHealth)
    for (const { access_token } of [first, second])
      expectTokenRefused(await party.call(access_token, '/v1/operations', { at: secondUrl }))
    for (const { refresh_token } of [first, second])
      expectError(await party.refresh(refresh_token), 400, 'invalid_grant')
  })

  test('may be revoked again: 200', async () => {
    expectEmpty(await party.revoke(first.refresh_token))
  })

  test('is followed by a new consent, and a new grant', async () => {
    const own = browser()
    const request = party.request()
    const flowEnd = await authorize(own, party, request)
    expect(flowEnd.asked).toEqual(['sign-in', 'provider', 'consent'])
    const answer = await party.redeem(flowEnd.left?.params.get('code') as string, request)
    expect((await party.call(answer.body['access_token'], '/v1/operations')).status).toBe(200)
  })

  test('leaves other clients of the owner alone', async () => {
    await expectStands()
  })
})
