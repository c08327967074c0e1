/**
 * Client authentication with `private_key_jwt`: ES256, with the issuer as audience. Each assertion is accepted once, at
 * every endpoint that requires one. Public clients do not authenticate.
 */

import { generateKeyPairSync, sign } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, encode, makeJws } from '../contract/hand-client.ts'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient, keyOf } from './clients.ts'
import { environment } from './environment.ts'
import { expectError, expectTokens } from './expectations.ts'
import { obtainTokens, type Tokens } from './flow.ts'
import type { Answer } from './http.ts'
import { createParty, nowS, type Party, type Posting, paths } from './party.ts'

let web: Party
let other: Party
let browser: Browser
let tokens: Tokens
beforeAll(async () => {
  ;[web, other] = [createParty(freshClient('web')), createParty(freshClient('web'))]
  browser = createBrowser()
  tokens = await obtainTokens(browser, web)
})

const endpoints: [name: string, ask: (posting: Posting) => Promise<Answer>, good: number][] = [
  ['the token endpoint', (posting) => web.refresh(tokens.refresh_token, {}, posting), 200],
  ['PAR', (posting) => web.push(web.request().parameters, posting), 201],
  ['the revocation endpoint', (posting) => web.revoke('unknown-value', {}, posting), 200],
]

const own = () => {
  const { client_id } = web.client
  return {
    iss: client_id,
    sub: client_id,
    aud: environment().baseUrl,
    jti: crypto.randomUUID(),
    iat: nowS(),
    exp: nowS() + 60,
  }
}
const kid = () => keyOf(web.client)?.kid

function signedRs256(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signed = `${encode({ alg: 'RS256', kid: kid() })}.${encode(own())}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}

const refused: [name: string, posting: () => Posting][] = [
  ['for another audience', () => ({ assertion: { aud: 'https://elsewhere.example' } })],
  ['for the token endpoint', () => ({ assertion: { aud: environment().baseUrl + paths.token } })],
  ['for the PAR endpoint', () => ({ assertion: { aud: environment().baseUrl + paths.par } })],
  ['for the issuer in a list', () => ({ assertion: { aud: [environment().baseUrl] } })],
  ['for the issuer and another', () => ({ assertion: { aud: [environment().baseUrl, 'https://elsewhere.example'] } })],
  ['for the issuer with a slash', () => ({ assertion: { aud: `${environment().baseUrl}/` } })],
  ['without aud', () => ({ assertion: { aud: undefined } })],
  ['without sub', () => ({ assertion: { sub: undefined } })],
  ['without iss', () => ({ assertion: { iss: undefined } })],
  ['without jti', () => ({ assertion: { jti: undefined } })],
  ['without exp', () => ({ assertion: { exp: undefined } })],
  ['of another subject', () => ({ assertion: { sub: other.client.client_id } })],
  ['of another issuer', () => ({ assertion: { iss: other.client.client_id } })],
  ['that ended five minutes ago', () => ({ assertion: { iat: nowS() - 360, exp: nowS() - 300 } })],
  ['that is good for a day', () => ({ assertion: { exp: nowS() + 86_400 } })],
  ['made in over a minute', () => ({ assertion: { iat: nowS() + 70, exp: nowS() + 120 } })],
  ['good in over a minute', () => ({ assertion: { nbf: nowS() + 70, exp: nowS() + 120 } })],
  [
    'signed by another key',
    () => ({ assertion: makeJws({ alg: 'ES256', kid: kid() }, own(), createKey().privateKey) }),
  ],
  [
    'signed by the key of another client',
    () => ({ assertion: other.assertion({ iss: web.client.client_id, sub: web.client.client_id }) }),
  ],
  ['with RS256', () => ({ assertion: signedRs256() })],
  ['with alg none', () => ({ assertion: `${encode({ alg: 'none' })}.${encode(own())}.` })],
  ['with another kid', () => ({ assertion: {}, assertionHeader: { kid: 'nobody' } })],
  ['that is no JWT', () => ({ assertion: 'abc' })],
  ['that is empty', () => ({ assertion: '' })],
  ['that is missing', () => ({ assertion: null })],
]

describe.each(endpoints)('%s', (_endpoint, ask, good) => {
  test.each(refused)('refuses an assertion %s', async (_name, posting) => {
    const answer = await ask({ ...posting() })
    expect([answer.status, answer.body['error']], answer.text).toEqual([401, 'invalid_client'])
    expect(Object.keys(answer.body).toSorted()).toEqual(['error', 'error_description'])
  })

  test('takes an assertion made 8 s ahead', async () => {
    const ahead = { iat: nowS() + 8, nbf: nowS() + 8, exp: nowS() + 60 }
    expect((await ask({ assertion: ahead })).status).toBe(good)
  })

  test('takes an assertion once', async () => {
    const assertion = web.assertion()
    // The current nonce is valid, so no challenge uses up the assertion.
    expect((await ask({ assertion })).status).toBe(good)
    const again = await ask({ assertion })
    expect([again.status, again.body['error']]).toEqual([401, 'invalid_client'])
  })
})

test('an assertion used at one endpoint is used at all of them', async () => {
  const assertion = web.assertion()
  expect((await web.push(web.request().parameters, { assertion })).status).toBe(201)
  expectError(await web.refresh(tokens.refresh_token, {}, { assertion }), 401, 'invalid_client')
})

describe('no other way to authenticate is taken:', () => {
  const basic = () => `Basic ${Buffer.from(`${web.client.client_id}:secret`).toString('base64')}`
  test.each<[string, () => Promise<Answer>]>([
    ['a secret in the body', () => web.refresh(tokens.refresh_token, { client_secret: 'secret' }, { assertion: null })],
    [
      'a secret in a header',
      () => web.refresh(tokens.refresh_token, {}, { assertion: null, headers: [['authorization', basic()]] }),
    ],
    ['a secret beside an assertion', () => web.refresh(tokens.refresh_token, { client_secret: 'secret' })],
    [
      'an assertion of another type',
      () =>
        web.refresh(tokens.refresh_token, {
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
        }),
    ],
    ['an assertion without its type', () => web.refresh(tokens.refresh_token, { client_assertion_type: undefined })],
  ])('%s', async (_name, ask) => {
    const answer = await ask()
    expect([400, 401]).toContain(answer.status)
    expect(['invalid_client', 'invalid_request']).toContain(answer.body['error'])
    expect(answer.body).not.toHaveProperty('access_token')
  })
})

describe('a public client', () => {
  let spa: Party
  let own: Tokens
  beforeAll(async () => {
    spa = createParty(freshClient('spa'))
    own = await obtainTokens(browser, spa)
  })

  test('authenticates with its client_id alone', async () => {
    expectTokens(await spa.refresh(own.refresh_token), { id: true })
  })

  test('without client_id is refused', async () => {
    const answer = await spa.refresh(own.refresh_token, { client_id: undefined })
    expect([400, 401]).toContain(answer.status)
    expect(['invalid_client', 'invalid_request']).toContain(answer.body['error'])
  })

  test('with a secret or an assertion is refused', async () => {
    for (const extra of [
      { client_secret: 'secret' },
      {
        client_assertion: web.assertion(),
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      },
    ]) {
      const answer = await spa.refresh(own.refresh_token, extra)
      expectError(answer, 401, 'invalid_client')
    }
  })
})

test('an unknown client is refused as one that did not authenticate', async () => {
  const answer = await web.refresh(tokens.refresh_token, { client_id: 'nobody-here' }, { assertion: null })
  expectError(answer, 401, 'invalid_client')
})
