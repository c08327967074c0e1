/**
 * Authorization requests with one wrong parameter each. A confidential client gets the error at PAR, a public one at
 * its redirect URI. If the server cannot be sure that the URI is the client's, a page shows the error.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectError, expectErrorPage, expectSentBack } from './expectations.ts'
import { authorize, obtainCode } from './flow.ts'
import { createParty, encodeForm, type Parameters, type Party, paths, secret } from './party.ts'

const s = (character: string, times: number) => character.repeat(times)
const foreign = 'https://elsewhere.example'
const withoutOpenid = { scope: 'operations:read', nonce: undefined }

/** Refused changes, with their error codes. */
const wrong: [name: string, changes: (party: Party) => Parameters, error: string][] = [
  ['no response_type', () => ({ response_type: undefined }), 'invalid_request'],
  ['response_type token', () => ({ response_type: 'token' }), 'unsupported_response_type'],
  ['response_type id_token', () => ({ response_type: 'id_token' }), 'unsupported_response_type'],
  ['response_type code id_token', () => ({ response_type: 'code id_token' }), 'unsupported_response_type'],
  ['response_type code token', () => ({ response_type: 'code token' }), 'unsupported_response_type'],
  ['response_type none', () => ({ response_type: 'none' }), 'unsupported_response_type'],
  ['response_mode fragment', () => ({ response_mode: 'fragment' }), 'unsupported_response_mode'],
  ['response_mode web_message', () => ({ response_mode: 'web_message' }), 'unsupported_response_mode'],
  ['response_mode jwt', () => ({ response_mode: 'jwt' }), 'unsupported_response_mode'],
  ['no PKCE challenge', () => ({ code_challenge: undefined, code_challenge_method: undefined }), 'invalid_request'],
  ['no PKCE method, which would be plain', () => ({ code_challenge_method: undefined }), 'invalid_request'],
  ['PKCE method plain', () => ({ code_challenge_method: 'plain' }), 'invalid_request'],
  ['a PKCE method without a challenge', () => ({ code_challenge: undefined }), 'invalid_request'],
  ['a PKCE challenge that is too short', () => ({ code_challenge: s('a', 42) }), 'invalid_request'],
  ['a PKCE challenge with other characters', () => ({ code_challenge: s('+', 43) }), 'invalid_request'],
  ['no dpop_jkt', () => ({ dpop_jkt: undefined }), 'invalid_request'],
  ['a dpop_jkt that is no thumbprint', () => ({ dpop_jkt: 'abc' }), 'invalid_request'],
  ['an empty dpop_jkt', () => ({ dpop_jkt: '' }), 'invalid_request'],
  ['a foreign resource', () => ({ resource: foreign }), 'invalid_target'],
  ['the resource with a slash', () => ({ resource: `${environment().baseUrl}/` }), 'invalid_target'],
  ['the resource with a path', () => ({ resource: `${environment().baseUrl}/v1` }), 'invalid_target'],
  ['the resource and a foreign one', () => ({ resource: [environment().baseUrl, foreign] }), 'invalid_target'],
  ['the resource twice', () => ({ resource: [environment().baseUrl, environment().baseUrl] }), 'invalid_target'],
  ['purchases:execute', () => ({ scope: 'openid purchases:execute' }), 'invalid_scope'],
  ['a scope beyond the ceiling', () => ({ scope: 'openid cards:manage' }), 'invalid_scope'],
  ['an unknown scope', () => ({ scope: 'openid nothing:read' }), 'invalid_scope'],
  ['the scope profile', () => ({ scope: 'openid profile' }), 'invalid_scope'],
  ['the scope email', () => ({ scope: 'openid email' }), 'invalid_scope'],
  ['the scope address', () => ({ scope: 'openid address' }), 'invalid_scope'],
  ['the scope phone', () => ({ scope: 'openid phone' }), 'invalid_scope'],
  ['the scope offline_access', () => ({ scope: 'openid offline_access' }), 'invalid_scope'],
  ['an operator scope', () => ({ scope: 'openid ops:read' }), 'invalid_scope'],
  ['no scope', () => ({ scope: undefined, nonce: undefined }), 'invalid_scope'],
  ['an empty scope', () => ({ scope: '', nonce: undefined }), 'invalid_scope'],
  ['a nonce without openid', () => ({ scope: 'operations:read' }), 'invalid_request'],
  ['openid without a nonce', () => ({ nonce: undefined }), 'invalid_request'],
  ['an empty nonce', () => ({ nonce: '' }), 'invalid_request'],
  ['a nonce of 65 characters', () => ({ nonce: s('n', 65) }), 'invalid_request'],
  ['a nonce of 65 scalar values', () => ({ nonce: s('\u{1f511}', 65) }), 'invalid_request'],
  ['a nonce with a line feed', () => ({ nonce: 'a\nb' }), 'invalid_request'],
  ['a nonce with a NUL', () => ({ nonce: 'a\0b' }), 'invalid_request'],
  ['a nonce with DEL', () => ({ nonce: 'a\u007fb' }), 'invalid_request'],
  ['a nonce with a C1 control', () => ({ nonce: 'a\u0085b' }), 'invalid_request'],
  ['prompt select_account', () => ({ prompt: 'select_account' }), 'invalid_request'],
  ['prompt create', () => ({ prompt: 'create' }), 'invalid_request'],
  ['prompt none with another', () => ({ prompt: 'none login' }), 'invalid_request'],
  ['a negative max_age', () => ({ max_age: '-1' }), 'invalid_request'],
  ['a max_age that is no number', () => ({ max_age: 'soon' }), 'invalid_request'],
  ['a max_age with a fraction', () => ({ max_age: '1.5' }), 'invalid_request'],
  ['a negative max_age without openid', () => ({ ...withoutOpenid, max_age: '-1' }), 'invalid_request'],
  ['a max_age that is no number, without openid', () => ({ ...withoutOpenid, max_age: 'soon' }), 'invalid_request'],
  ['max_age twice', () => ({ max_age: ['1', '2'] }), 'invalid_request'],
  ['max_age twice without openid', () => ({ ...withoutOpenid, max_age: ['1', '2'] }), 'invalid_request'],
  ['a request object', () => ({ request: 'eyJhbGciOiJub25lIn0.e30.' }), 'request_not_supported'],
  ['the claims parameter', () => ({ claims: '{"id_token":{"email":null}}' }), 'invalid_request'],
  ['authorization_details', () => ({ authorization_details: '[{"type":"payment"}]' }), 'invalid_authorization_details'],
  ['registration', () => ({ registration: '{}' }), 'registration_not_supported'],
  ['state twice', () => ({ state: ['one', 'two'] }), 'invalid_request'],
  ['scope twice', () => ({ scope: ['openid', 'operations:read'] }), 'invalid_request'],
  ['nonce twice', () => ({ nonce: ['one', 'two'] }), 'invalid_request'],
  ['code_challenge twice', () => ({ code_challenge: [s('a', 43), s('b', 43)] }), 'invalid_request'],
  ['dpop_jkt twice', () => ({ dpop_jkt: [s('a', 43), s('b', 43)] }), 'invalid_request'],
  ['prompt twice', () => ({ prompt: ['login', 'consent'] }), 'invalid_request'],
]

let web: Party
let spa: Party
let browser: Browser
beforeAll(() => {
  web = createParty(freshClient('web'))
  spa = createParty(freshClient('spa'))
  browser = createBrowser()
})

describe('at PAR, refused with a JSON error:', () => {
  test.each(wrong)('%s', async (_name, changes, error) => {
    expectError(await web.push(web.request(changes(web)).parameters), 400, error)
  })
})

describe('sent directly, sent back to the client as an error:', () => {
  test.each(wrong)('%s', async (_name, changes, error) => {
    const changed = changes(spa)
    const request = spa.request(changed)
    const end = await browser.open(await spa.authorizeUrl(request))
    // Two states are ambiguous, so neither is returned.
    const state = Array.isArray(changed.state) ? undefined : request.parameters.state
    expectSentBack(end, { parameters: { ...request.parameters, state } as Record<string, string> }, error)
  })
})

const redirects: [name: string, uri: (registered: string) => string | undefined][] = [
  ['none', () => undefined],
  ['one of nobody', () => 'https://elsewhere.example/callback'],
  ['the registered one with a slash', (uri) => `${uri}/`],
  ['the registered one with a query', (uri) => `${uri}?next=1`],
  ['the registered one with a fragment', (uri) => `${uri}#part`],
  ['the registered one with a port', (uri) => uri.replace('.test/', '.test:8443/')],
  ['the registered one over http', (uri) => uri.replace('https:', 'http:')],
  ['the registered one in capitals', (uri) => uri.toUpperCase()],
  ['the registered one with a user', (uri) => uri.replace('://', '://me@')],
  ['a path below the registered one', (uri) => `${uri}/more`],
  ['the registered one by another way', (uri) => uri.replace(/[^/]*$/, 'x/../$&')],
  ['the registered one with an escape', (uri) => uri.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`)],
  ['a script', () => 'javascript:alert(1)'],
]

describe('a redirect_uri is exactly a registered one, else nobody is sent there:', () => {
  test.each(redirects)('%s, at PAR', async (_name, uri) => {
    const changes = { redirect_uri: uri(web.client.redirect_uris[0] as string) }
    expectError(await web.push(web.request(changes).parameters), 400, 'invalid_request')
  })

  test.each(redirects)('%s, sent directly', async (_name, uri) => {
    const changes = { redirect_uri: uri(spa.client.redirect_uris[0] as string) }
    const end = await browser.open(await spa.authorizeUrl(spa.request(changes)))
    expectErrorPage(end, uri('') === undefined ? 'invalid_request' : 'invalid_redirect_uri')
  })

  test('twice, sent directly', async () => {
    const [registered] = spa.client.redirect_uris as [string]
    const url = await spa.authorizeUrl(spa.request({ redirect_uri: [registered, registered] }))
    expectErrorPage(await browser.open(url), 'invalid_request')
  })

  test('of another client, sent directly', async () => {
    const url = await spa.authorizeUrl(spa.request({ redirect_uri: web.client.redirect_uris[0] }))
    expectErrorPage(await browser.open(url), 'invalid_redirect_uri')
  })
})

describe('a client that is not known is shown a page:', () => {
  test.each([
    ['an invented client_id', { client_id: 'nobody-here' }, 'invalid_client'],
    ['no client_id', { client_id: undefined }, 'invalid_request'],
    ['an empty client_id', { client_id: '' }, 'invalid_request'],
    ['a client_id of control characters', { client_id: '\0\n' }, 'invalid_client'],
  ])('%s', async (_name, changes, error) => {
    expectErrorPage(await browser.open(await spa.authorizeUrl(spa.request(changes))), error)
  })
})

describe('an authorization request that is in order', () => {
  test.each<[string, Parameters]>([
    ['as it should be', {}],
    ['in another order of scopes', { scope: 'operations:read openid' }],
    ['with a long state', { state: 'x'.repeat(1_000) }],
    ['without state', { state: undefined }],
    ['with a nonce of 64 characters', { nonce: 'n'.repeat(64) }],
    ['with response_mode query', { response_mode: 'query' }],
    ['without openid and nonce', { scope: 'operations:read', nonce: undefined }],
    ['with parameters that nobody knows', { utm_source: 'mail' }],
  ])('%s gets a code, with its state and the issuer', async (_name, changes) => {
    for (const party of [web, spa]) {
      const { flowEnd, request } = await obtainCode(browser, party, changes)
      const { left } = flowEnd
      expect(left?.mode).toBe('query')
      expect(left?.params.get('iss')).toBe(environment().baseUrl)
      expect(left?.params.get('state')).toBe(request.parameters.state ?? null)
      expect([...(left?.params.keys() ?? [])].toSorted()).toEqual(
        ['code', 'iss', ...(request.parameters.state === undefined ? [] : ['state'])].toSorted(),
      )
    }
  })

  test('is a GET: posted as a form it is refused', async () => {
    const { parameters } = spa.request()
    const url = new URL(environment().baseUrl + paths.authorize)
    const page = await browser.once({ url, method: 'POST', fields: Object.entries(parameters) })
    expect([page.status, page.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')])
  })

  test('with response_mode form_post posts its answer to the redirect URI', async () => {
    for (const party of [web, spa]) {
      const { flowEnd, request } = await obtainCode(browser, party, { response_mode: 'form_post' })
      expect(flowEnd.left?.mode).toBe('form_post')
      expect(flowEnd.left?.url.href).toBe(request.parameters.redirect_uri)
      expect(flowEnd.left?.params.get('state')).toBe(request.parameters.state)
      expect(flowEnd.left?.params.get('iss')).toBe(environment().baseUrl)
    }
  })

  test('with response_mode form_post works without a script, and runs no other than the one that sends it', async () => {
    await obtainCode(browser, spa)
    const url = new URL(await spa.authorizeUrl(spa.request({ response_mode: 'form_post' })))
    const page = await browser.once({ url, method: 'GET', fields: [] })
    expect(page.text).toMatch(/<noscript>[^]*<button[^]*<\/noscript>/)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-[^']+';/)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toContain('no-store')
  })

  test('with response_mode form_post has its errors posted too', async () => {
    const request = spa.request({ response_mode: 'form_post', scope: 'openid purchases:execute' })
    expectSentBack(await browser.open(await spa.authorizeUrl(request)), request, 'invalid_scope')
  })

  test('keeps the query of a registered redirect URI', async () => {
    const [, second] = web.client.redirect_uris as [string, string]
    const { flowEnd } = await obtainCode(browser, web, { redirect_uri: second })
    expect(flowEnd.left?.params.get('from')).toBe('bank')
  })
})

describe('a native client is answered on loopback', () => {
  let native: Party
  beforeAll(() => {
    native = createParty(freshClient('native'))
  })

  test.each(['http://127.0.0.1:49152/callback', 'http://127.0.0.1/callback', 'http://[::1]:3000/callback'])(
    'at any port: %s',
    async (redirect_uri) => {
      const { code, request, flowEnd } = await obtainCode(browser, native, { redirect_uri })
      expect(flowEnd.left?.url.href.startsWith(redirect_uri)).toBe(true)
      expect((await native.redeem(code, request)).status).toBe(200)
    },
  )

  test('or at its private scheme', async () => {
    const redirect_uri = native.client.redirect_uris[2] as string
    const { flowEnd } = await obtainCode(browser, native, { redirect_uri })
    expect(flowEnd.left?.url.protocol).toBe(redirect_uri.slice(0, redirect_uri.indexOf(':') + 1))
  })

  test.each([
    'http://127.0.0.1:49152/other',
    'http://localhost:49152/callback',
    'http://127.0.0.2:49152/callback',
    'https://127.0.0.1:49152/callback',
    'http://127.0.0.1:49152/callback?x=1',
    'http://[::2]:3000/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1:49152@evil.example/callback',
  ])('and nowhere else: %s', async (redirect_uri) => {
    const end = await browser.open(await native.authorizeUrl(native.request({ redirect_uri })))
    expectErrorPage(end, 'invalid_redirect_uri')
  })

  test('and redeems with the port that it was answered at, and no other', async () => {
    const { code, request } = await obtainCode(browser, native, { redirect_uri: 'http://127.0.0.1:40001/callback' })
    const other = await native.redeem(code, request, { redirect_uri: 'http://127.0.0.1:40002/callback' })
    expectError(other, 400, 'invalid_grant')
  })
})

describe('the person refuses', () => {
  test.each(['web', 'spa', 'native'] as const)('to consent: access_denied, to a %s client', async (profile) => {
    const party = createParty(freshClient(profile))
    const request = party.request()
    expectSentBack(await authorize(browser, party, request, { consent: 'deny' }), request, 'access_denied')
  })

  test('to sign in: access_denied, and nobody is signed in', async () => {
    const own = createBrowser()
    const request = spa.request()
    expectSentBack(await authorize(own, spa, request, { signIn: 'decline' }), request, 'access_denied')
    const silent = spa.request({ prompt: 'none' })
    expectSentBack(await own.open(await spa.authorizeUrl(silent)), silent, 'login_required')
  })
})

test('a request that carries every scope of the ceiling twice grants each once', async () => {
  const scope = [...spa.client.scopes, ...spa.client.scopes].join(' ')
  const { code, request } = await obtainCode(browser, spa, { scope })
  const { body } = await spa.redeem(code, request)
  expect((body['scope'] as string).split(' ').toSorted()).toEqual([...spa.client.scopes].toSorted())
})

test('the authorization endpoint has no CORS: a page of another origin cannot read what it answers', async () => {
  const url = `${environment().baseUrl}${paths.authorize}?${encodeForm(spa.request({ state: secret() }).parameters)}`
  const [origin] = spa.client.origins as [string]
  const page = await browser.once({ url: new URL(url), method: 'GET', fields: [] }, undefined, [['origin', origin]])
  expect(page.headers.has('access-control-allow-origin')).toBe(false)
})
