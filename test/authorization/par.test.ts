/** Pushed authorization requests: only confidential clients may push them, and they must. */

import { beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../contract/hand-client.ts'
import { type Browser, createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { expectError, expectErrorPage, expectSentBack } from './expectations.ts'
import { authorize, claimsOf, flow, obtainCode } from './flow.ts'
import { exchange } from './http.ts'
import { createParty, encodeForm, type Parameters, type Party, paths, thumbprintOf } from './party.ts'

let web: Party
let other: Party
let spa: Party
let browser: Browser
beforeAll(() => {
  ;[web, other, spa] = [
    createParty(freshClient('web')),
    createParty(freshClient('web')),
    createParty(freshClient('spa')),
  ]
  browser = createBrowser()
})

const at = (parameters: Parameters) => `${environment().baseUrl}${paths.authorize}?${encodeForm(parameters)}`
const pushed = async (party: Party, changes: Parameters = {}) => {
  const request = party.request(changes)
  const answer = await party.push(request.parameters)
  expect(answer.status, answer.text).toBe(201)
  return { request, uri: answer.body['request_uri'] as string }
}

test('a pushed request is answered with a request_uri for five minutes', async () => {
  const answer = await web.push(web.request().parameters)
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{20,}$/),
    expires_in: 300,
  })
  expect(answer.headers.get('cache-control')).toContain('no-store')
})

test('client_id and request_uri are all that the authorization request needs', async () => {
  const { request, uri } = await pushed(web)
  const end = await flow(browser, await browser.open(at({ client_id: web.client.client_id, request_uri: uri })))
  expect(end.left?.params.get('state')).toBe(request.parameters.state)
  expect(end.left?.params.get('code')).toBeTruthy()
})

test.each<[string, Parameters]>([
  ['another scope', { scope: 'openid spending:withdraw' }],
  ['another state', { state: 'other' }],
  ['two states', { state: ['one', 'two'] }],
  ['another redirect_uri', { redirect_uri: 'https://elsewhere.example/callback' }],
  ['another response_type', { response_type: 'token' }],
  ['another response_mode', { response_mode: 'fragment' }],
  ['a prompt', { prompt: 'none' }],
  ['a max_age', { max_age: '0' }],
  ['another nonce', { nonce: 'other' }],
  ['another resource', { resource: 'https://elsewhere.example' }],
  ['another code_challenge', { code_challenge: 'A'.repeat(43), code_challenge_method: 'plain' }],
  ['another dpop_jkt', { dpop_jkt: 'A'.repeat(43) }],
  ['claims', { claims: '{}' }],
  ['authorization_details', { authorization_details: '[]' }],
  ['a request object', { request: 'e30.e30.' }],
  ['a parameter that nobody knows', { utm_source: 'mail' }],
])('%s beside the request_uri has no effect', async (_name, extra) => {
  const { request, uri } = await pushed(web)
  const own = createBrowser()
  const end = await flow(own, await own.open(at({ client_id: web.client.client_id, request_uri: uri, ...extra })))
  expect(end.left?.url.href.split('?')[0]).toBe(request.parameters.redirect_uri)
  expect(end.left?.params.get('state')).toBe(request.parameters.state)
  const redeemed = await web.redeem(end.left?.params.get('code') as string, request)
  expect(redeemed.status, redeemed.text).toBe(200)
  expect(redeemed.body['scope'].split(' ').toSorted()).toEqual(String(request.parameters.scope).split(' ').toSorted())
  expect(claimsOf(redeemed.body['id_token'])['nonce']).toBe(request.parameters.nonce)
})

test('a pushed request without dpop_jkt and without a proof learns what to send', async () => {
  const answer = await web.push(web.request({ dpop_jkt: undefined }).parameters)
  expectError(answer, 400, 'invalid_request')
  expect(answer.body['error_description']).toBe('send dpop_jkt, or a DPoP proof with this request')
})

test('a confidential client that sends its parameters directly is refused', async () => {
  const request = web.request()
  expectSentBack(await browser.open(at(request.parameters)), request, 'invalid_request')
})

test('a public client may not push', async () => {
  expectError(await spa.push(spa.request().parameters), 400, 'unauthorized_client')
})

describe('a request_uri', () => {
  test('may be opened again until the person is done, and never after', async () => {
    const fresh = createParty(freshClient('web'))
    const { uri } = await pushed(fresh)
    const url = at({ client_id: fresh.client.client_id, request_uri: uri })
    const own = createBrowser()
    for (let round = 0; round < 3; round += 1) expect((await own.open(url)).page?.status).toBe(200)
    const end = await flow(own, await own.open(url))
    expect(end.left?.params.get('code')).toBeTruthy()
    expectErrorPage(await own.open(url), 'invalid_request_uri')
    expectErrorPage(await createBrowser().open(url), 'invalid_request_uri')
  })

  test('is of the client that pushed it', async () => {
    const { uri } = await pushed(web)
    const end = await browser.open(at({ client_id: other.client.client_id, request_uri: uri }))
    if (end.left) throw new Error('sent somewhere')
    expect(end.page.status).toBe(400)
    const mine = await flow(browser, await browser.open(at({ client_id: web.client.client_id, request_uri: uri })))
    expect(mine.left?.params.get('code')).toBeTruthy()
  })

  test.each([
    ['that was invented', 'urn:ietf:params:oauth:request_uri:abcdefghijklmnopqrstuvwxyz', 'invalid_request_uri'],
    ['of another URN', 'urn:example:abc', 'request_uri_not_supported'],
    ['that is an address', 'https://elsewhere.example/request.jwt', 'request_uri_not_supported'],
    ['that is empty', '', 'invalid_request'],
  ])('%s is refused by a page', async (_name, request_uri, error) => {
    expectErrorPage(await browser.open(at({ client_id: web.client.client_id, request_uri })), error)
  })

  test('without client_id is refused by a page', async () => {
    const { uri } = await pushed(web)
    expectErrorPage(await browser.open(at({ request_uri: uri })), 'invalid_request')
  })

  test('twice is refused by a page', async () => {
    const { uri } = await pushed(web)
    const url = at({ client_id: web.client.client_id, request_uri: [uri, uri] })
    expectErrorPage(await browser.open(url), 'invalid_request')
  })
})

describe('PAR refuses', () => {
  test('a request_uri inside', async () => {
    const { uri } = await pushed(web)
    expectError(await web.push({ ...web.request().parameters, request_uri: uri }), 400, 'invalid_request')
  })

  test.each(['GET', 'PUT', 'DELETE'])('the method %s', async (method) => {
    const answer = await exchange(environment().baseUrl + paths.par, method)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toContain('POST')
  })

  test('a body that is not a form', async () => {
    const body = JSON.stringify(web.request().parameters)
    const answer = await exchange(
      environment().baseUrl + paths.par,
      'POST',
      [['content-type', 'application/json']],
      body,
    )
    expectError(answer, 400, 'invalid_request')
  })

  test('a client that does not authenticate', async () => {
    expectError(await web.push(web.request().parameters, { assertion: null }), 401, 'invalid_client')
  })

  test('a client_id other than the one that authenticates', async () => {
    const parameters = { ...web.request().parameters, client_id: other.client.client_id }
    const answer = await web.push(parameters)
    expect([400, 401]).toContain(answer.status)
    expect(['invalid_client', 'invalid_request']).toContain(answer.body['error'])
  })

  test('a client of another profile that authenticates well', async () => {
    const { clients } = environment()
    const agent = createParty(clients.find(({ client_id }) => client_id === 'ines-agent') as never)
    const parameters = { ...web.request().parameters, client_id: 'ines-agent', scope: 'operations:read' }
    const answer = await agent.push(parameters)
    expect(answer.status).toBe(400)
    expect(['unauthorized_client', 'invalid_request']).toContain(answer.body['error'])
  })
})

describe('a proof at PAR', () => {
  test('by the key of dpop_jkt is welcome', async () => {
    const answer = await web.post(paths.par, web.request().parameters, {}, true)
    expect(answer.status, answer.text).toBe(201)
  })

  test('by another key than dpop_jkt is refused', async () => {
    const answer = await web.post(paths.par, web.request().parameters, { key: createKey() }, true)
    expectError(answer, 400, 'invalid_request')
  })

  test('without dpop_jkt binds the code to its key', async () => {
    const request = web.request({ dpop_jkt: undefined })
    const open = async () => {
      const answer = await web.post(paths.par, request.parameters, {}, true)
      expect(answer.status, answer.text).toBe(201)
      const { request_uri } = answer.body
      const end = await flow(browser, await browser.open(at({ client_id: web.client.client_id, request_uri })))
      return end.left?.params.get('code') as string
    }
    expectError(await web.redeem(await open(), request, {}, { key: createKey() }), 400, 'invalid_grant')
    expect((await web.redeem(await open(), request)).status).toBe(200)
  })

  test('that is malformed is refused', async () => {
    expectError(await web.push(web.request().parameters, { proof: 'a.b.c' }), 400, 'invalid_dpop_proof')
  })

  test('an hour old is refused', async () => {
    const claims = { iat: Math.floor(Date.now() / 1_000) - 3_600 }
    expectError(await web.post(paths.par, web.request().parameters, { claims }, true), 400, 'invalid_dpop_proof')
  })

  test('used before is refused', async () => {
    await web.post(paths.par, web.request().parameters, {}, true)
    const proof = web.proof(paths.par)
    expect((await web.push(web.request().parameters, { proof })).status).toBe(201)
    expectError(await web.push(web.request().parameters, { proof }), 400, 'invalid_dpop_proof')
  })
})

test('the thumbprint of dpop_jkt is what the code is bound to', async () => {
  const otherKey = createKey()
  const { code, request } = await obtainCode(browser, web, { dpop_jkt: thumbprintOf(otherKey) })
  expectError(await web.redeem(code, request), 400, 'invalid_grant')
  const again = await obtainCode(browser, web, { dpop_jkt: thumbprintOf(otherKey) })
  expect((await web.redeem(again.code, again.request, {}, { key: otherKey })).status).toBe(200)
})

test('a pushed request with prompt none and nobody signed in is sent back with login_required', async () => {
  const request = web.request({ prompt: 'none' })
  expectSentBack(await authorize(createBrowser(), web, request), request, 'login_required')
})
