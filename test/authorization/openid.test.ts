/** OpenID: an ID token with exactly the contract's claims and an unchanged nonce. No other feature of OpenID exists. */

import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectTokenRefused } from './expectations.ts'
import { claimsOf, obtainCode, obtainTokens } from './flow.ts'
import { exchange } from './http.ts'
import { createParty, nowS, type Party } from './party.ts'

const claims = ['acr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'nonce', 'sub']

let browser: Browser
let signedInAtS: number
beforeAll(async () => {
  browser = createBrowser()
  signedInAtS = nowS()
  await obtainCode(browser, createParty(freshClient('spa')))
})

describe.each(['web', 'spa', 'native'] as const)('the ID token of a %s client', (profile) => {
  let party: Party
  beforeAll(() => {
    party = createParty(freshClient(profile))
  })

  test('is signed with ES256 by a published key and says exactly what the contract says', async () => {
    const { code, request } = await obtainCode(browser, party)
    const { body } = await party.redeem(code, request)
    const { baseUrl } = environment()
    const keys = (await exchange(`${baseUrl}/oauth/jwks`, 'GET')).body as JSONWebKeySet
    const { payload, protectedHeader } = await jwtVerify(body['id_token'], createLocalJWKSet(keys), {
      issuer: baseUrl,
      audience: party.client.client_id,
      algorithms: ['ES256'],
    })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: expect.any(String) })
    expect(Object.keys(payload).toSorted()).toEqual(claims)
    expect(payload).toMatchObject({
      iss: baseUrl,
      aud: party.client.client_id,
      nonce: request.parameters.nonce,
      acr: 'urn:service:acr:provider-device',
      sub: claimsOf(body['access_token'])['sub'],
    })
    expect((payload.exp as number) - (payload.iat as number)).toBe(300)
    expect(payload['auth_time']).toBeGreaterThanOrEqual(signedInAtS - 1)
    expect(payload['auth_time']).toBeLessThanOrEqual(nowS() + 1)
  })

  test('authenticates no API request', async () => {
    const { id_token } = await obtainTokens(browser, party)
    expectTokenRefused(await party.call(id_token as string, '/v1/operations'))
  })
})

test('without openid there is no ID token', async () => {
  const party = createParty(freshClient('web'))
  const tokens = await obtainTokens(browser, party, { scope: 'operations:read', nonce: undefined })
  expect(tokens).not.toHaveProperty('id_token')
  expect((await party.refresh(tokens.refresh_token)).body).not.toHaveProperty('id_token')
})

describe('the nonce comes back unchanged:', () => {
  let party: Party
  beforeAll(() => {
    party = createParty(freshClient('spa'))
  })

  test.each([
    ['one character', 'n'],
    ['64 characters', 'n'.repeat(64)],
    ['64 scalar values of four bytes each', '\u{1f511}'.repeat(64)],
    ['spaces at its ends', ' n n '],
    ['what a form would encode', 'a+b&c=d%20#e"<>'],
    ['letters with combining marks', 'e\u0301'],
    ['right to left', '\u05e9\u05dc\u05d5\u05dd'],
  ])('%s', async (_name, nonce) => {
    const { id_token } = await obtainTokens(browser, party, { nonce })
    expect(claimsOf(id_token as string)['nonce']).toBe(nonce)
  })
})

test.each(['/oauth/userinfo', '/oauth/me', '/me', '/userinfo'])('%s is not there: no UserInfo', async (path) => {
  const party = createParty(freshClient('spa'))
  const { access_token } = await obtainTokens(browser, party)
  expect((await party.call(access_token, path)).status).toBe(404)
})
