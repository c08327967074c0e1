/**
 * The authorization code: bound to its client, redirect URI, verifier and key. It is valid once; a replay revokes its
 * grant.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../contract/hand-client.ts'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectError, expectTokenRefused, expectTokens } from './expectations.ts'
import { claimsOf, obtainCode, obtainTokens } from './flow.ts'
import { exchange, form } from './http.ts'
import { challengeOf, createParty, encodeForm, type Parameters, type Party, paths, secret } from './party.ts'

let web: Party
let spa: Party
let browser: Browser
beforeAll(async () => {
  ;[web, spa] = [createParty(freshClient('web')), createParty(freshClient('spa'))]
  browser = createBrowser()
  await obtainCode(browser, web)
  await obtainCode(browser, spa)
})

describe.each(['web', 'spa', 'native'] as const)('a code of a %s client', (profile) => {
  let party: Party
  beforeAll(async () => {
    party = createParty(freshClient(profile))
    await obtainCode(browser, party)
  })

  test('gets an access token, a refresh token and with openid an ID token', async () => {
    const { code, request } = await obtainCode(browser, party)
    expectTokens(await party.redeem(code, request), { id: true })
    const plain = await obtainCode(browser, party, { scope: 'operations:read', nonce: undefined })
    expectTokens(await party.redeem(plain.code, plain.request))
  })

  test('with a wrong verifier is refused, and not used up by that', async () => {
    const { code, request } = await obtainCode(browser, party)
    expectError(await party.redeem(code, request, { code_verifier: secret() }), 400, 'invalid_grant')
    expectTokens(await party.redeem(code, request), { id: true })
  })

  test('without a verifier is refused', async () => {
    const { code, request } = await obtainCode(browser, party)
    expectError(await party.redeem(code, request, { code_verifier: undefined }), 400, 'invalid_grant')
  })

  test('with the challenge as verifier is refused: plain is nowhere', async () => {
    const { code, request } = await obtainCode(browser, party)
    const code_verifier = challengeOf(request.verifier)
    expectError(await party.redeem(code, request, { code_verifier }), 400, 'invalid_grant')
  })

  test('with a proof by another key than dpop_jkt is refused, and used up by that', async () => {
    const { code, request } = await obtainCode(browser, party)
    expectError(await party.redeem(code, request, {}, { key: createKey() }), 400, 'invalid_grant')
    expectError(await party.redeem(code, request), 400, 'invalid_grant')
  })

  test('without a proof is refused', async () => {
    const { code, request } = await obtainCode(browser, party)
    expectError(await party.redeem(code, request, {}, { proof: null }), 400, 'invalid_dpop_proof')
  })

  test('used again is refused, and everything that came from it is revoked', async () => {
    const { code, request } = await obtainCode(browser, party)
    const { body } = await party.redeem(code, request)
    expect((await party.call(body['access_token'], '/v1/operations')).status).toBe(200)
    expectError(await party.redeem(code, request), 400, 'invalid_grant')
    expectError(await party.refresh(body['refresh_token']), 400, 'invalid_grant')
    expectTokenRefused(await party.call(body['access_token'], '/v1/operations'))
  })
})

describe('a code is refused', () => {
  const refused: [name: string, changes: Parameters, error: string][] = [
    ['that was invented', { code: 'invented-code-invented-code-invented-code-1' }, 'invalid_grant'],
    ['that is empty', { code: '' }, 'invalid_request'],
    ['that is missing', { code: undefined }, 'invalid_request'],
    ['sent twice', { code: ['one', 'two'] }, 'invalid_request'],
    ['without redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['with a foreign redirect_uri', { redirect_uri: 'https://elsewhere.example/callback' }, 'invalid_grant'],
    ['with a verifier that is too short', { code_verifier: 'short' }, 'invalid_request'],
    ['for another resource', { resource: 'https://elsewhere.example' }, 'invalid_target'],
  ]
  test.each(refused)('%s', async (_name, changes, error) => {
    for (const party of [web, spa]) {
      const { code, request } = await obtainCode(browser, party)
      expectError(await party.redeem(code, request, changes), 400, error)
    }
  })

  test('with the other registered redirect_uri', async () => {
    const { code, request } = await obtainCode(browser, web)
    const [, redirect_uri] = web.client.redirect_uris
    expectError(await web.redeem(code, request, { redirect_uri }), 400, 'invalid_grant')
  })

  test('of another client, and stays good for its own', async () => {
    const others: Party[] = [createParty(freshClient('web'), web.key), createParty(freshClient('spa'), spa.key)]
    for (const [index, party] of [web, spa].entries()) {
      const { code, request } = await obtainCode(browser, party)
      expectError(await (others[index] as Party).redeem(code, request), 400, 'invalid_grant')
    }
  })

  test('in a refresh token’s place', async () => {
    const { code } = await obtainCode(browser, web)
    expectError(await web.refresh(code), 400, 'invalid_grant')
  })
})

test('the access token says exactly what the API needs to know, and not who the owner is', async () => {
  const { access_token } = await obtainTokens(browser, web)
  const header = JSON.parse(Buffer.from(access_token.split('.')[0] as string, 'base64url').toString())
  expect(header).toMatchObject({ typ: 'at+jwt', alg: 'ES256' })
  const claims = claimsOf(access_token)
  expect(Object.keys(claims).toSorted()).toEqual(
    ['aud', 'client_id', 'cnf', 'exp', 'grant_id', 'iat', 'iss', 'jti', 'scope', 'sub'].toSorted(),
  )
  const { baseUrl } = environment()
  expect(claims).toMatchObject({ iss: baseUrl, aud: baseUrl, client_id: web.client.client_id })
  expect(claims['exp'] - claims['iat']).toBe(300)
  expect(Object.keys(claims['cnf'])).toEqual(['jkt'])
  // The library adds a scope of its own, which is not one of the API's.
  expect(claims['scope'].split(' ').filter((scope: string) => scope !== 'openid')).toEqual(['operations:read'])
})

describe('the token endpoint takes', () => {
  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('no %s', async (method) => {
    const answer = await exchange(environment().baseUrl + paths.token, method)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toContain('POST')
  })

  test('no parameters in the address', async () => {
    const { code, request } = await obtainCode(browser, spa)
    const { redirect_uri } = request.parameters
    const query = encodeForm({
      client_id: spa.client.client_id,
      grant_type: 'authorization_code',
      code,
      code_verifier: request.verifier,
      redirect_uri,
    })
    const url = `${environment().baseUrl}${paths.token}?${query}`
    const answer = await exchange(url, 'POST', [...form, ['dpop', spa.proof(paths.token)]], '')
    expect([400, 401]).toContain(answer.status)
    expect(answer.body).not.toHaveProperty('access_token')
  })

  test('no JSON', async () => {
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['dpop', spa.proof(paths.token)],
    ]
    const answer = await exchange(
      environment().baseUrl + paths.token,
      'POST',
      headers,
      '{"grant_type":"refresh_token"}',
    )
    expectError(answer, 400, 'invalid_request')
  })

  test('no parameter twice', async () => {
    const { code, request } = await obtainCode(browser, spa)
    const grant_type = ['authorization_code', 'authorization_code']
    expectError(await spa.redeem(code, request, { grant_type }), 400, 'invalid_request')
  })

  test('no request without a grant type', async () => {
    expectError(await spa.token({}), 400, 'invalid_request')
  })
})
