/** Paths that authz answers: what it is sent, what goes back, and what a client gets where it cannot be reached. */

import type { CarriedRequest } from '@financial-agents/bus/messages/http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectProblem, pause, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

let world: World
let url: string
let carried: CarriedRequest | undefined

beforeAll(async () => {
  world = await startWorld({ REQUEST_DEADLINE_MS: '300', TRUSTED_PROXIES: 'loopback' })
  url = world.gateways[0]?.url as string
  world.authz.state.http = async (request) => {
    carried = request
    return {
      status: 303,
      headers: [
        ['Location', 'https://app.example.test/cb?code=x'],
        ['Set-Cookie', 'a=1; HttpOnly'],
        ['Set-Cookie', 'b=2; HttpOnly'],
        ['Connection', 'close, x-hop'],
        ['X-Hop', 'no'],
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '999'],
        ['Content-Type', 'application/octet-stream'],
      ],
      body: Buffer.from([0, 255, 128]).toString('base64'),
    }
  }
})
afterAll(() => world.stop())

test('a request arrives as it was sent, less what concerns the connection', async () => {
  const response = await sendRaw(
    url,
    'POST',
    '/oauth/token?a=1&a=%2F',
    [
      ['Authorization', 'DPoP x'],
      ['DPoP', 'one'],
      ['DPoP', 'two'],
      ['Cookie', 'c=1'],
      ['Connection', 'keep-alive, X-Private'],
      ['X-Private', 'no'],
      ['X-Forwarded-For', '192.0.2.9'],
      ['X-Forwarded-Proto', 'gopher'],
      ['Forwarded', 'host=evil.example'],
      ['X-Request-Id', 'client-request-1'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    'grant_type=é',
  )
  expect(carried).toEqual({
    method: 'POST',
    target: '/oauth/token?a=1&a=%2F',
    headers: [
      ['authorization', 'DPoP x'],
      ['dpop', 'one'],
      ['dpop', 'two'],
      ['cookie', 'c=1'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['host', 'api.example.test'],
      ['x-request-id', 'client-request-1'],
    ],
    body: Buffer.from('grant_type=é').toString('base64'),
    remote_address: '192.0.2.9',
  })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('https://app.example.test/cb?code=x')
  expect(response.rawHeaders.filter((value) => /^[ab]=/.test(value))).toEqual(['a=1; HttpOnly', 'b=2; HttpOnly'])
  expect(response.headers.has('x-hop')).toBe(false)
  expect(response.headers.get('content-length')).toBe('3')
  expect(response.headers.get('x-request-id')).toBe('client-request-1')
})

test('every method and path below is carried', async () => {
  for (const [method, path] of [
    ['GET', '/.well-known/openid-configuration'],
    ['OPTIONS', '/oauth/token'],
    ['DELETE', '/oauth/a/b'],
    ['HEAD', '/oauth/authorize'],
    ['PROPFIND', '/oauth/token'],
    ['QUERY', '/.well-known/openid-configuration'],
  ] as const) {
    await sendRaw(url, method, path, [])
    expect(carried).toMatchObject({ method, target: path, body: '' })
  }
  expectProblem(await sendRaw(url, 'GET', '/oauthx', []), 'route_not_found', '/oauthx')
})

test.each([
  '/oauth/../v1/operations',
  '/oauth/%2e%2E/.well-known/openid-configuration',
  '/.well-known/../oauth/token',
  '/oauth/./token',
  '/oauth/token/..',
  '/oauth\\..\\token',
  '/oauth/\\token',
])('the path %s, which others would resolve, is not carried', async (path) => {
  carried = undefined
  expectProblem(await sendRaw(url, 'GET', path, []), 'route_not_found', path)
  expect(carried).toBeUndefined()
})

test('a preflight is answered here: an origin that is not registered is told nothing', async () => {
  carried = undefined
  const headers: [string, string][] = [
    ['Origin', 'https://evil.example'],
    ['Access-Control-Request-Method', 'POST'],
  ]
  const response = await sendRaw(url, 'OPTIONS', '/oauth/token', headers)
  expect(response.status).toBe(204)
  expect(response.headers.has('access-control-allow-origin')).toBe(false)
  expect(carried).toBeUndefined()
})

test('a body that is too large is refused in the words of OAuth', async () => {
  const response = await sendRaw(url, 'POST', '/oauth/token', [], 'x'.repeat(65_537))
  expect(response.status).toBe(413)
  expect(response.body).toEqual({ error: 'invalid_request', error_description: expect.any(String) })
  expect(response.headers.get('x-request-id')).toBeTruthy()
})

test('authz that does not answer, or is not there, is unavailable', async () => {
  const before = world.authz.state.http
  world.authz.state.http = () => pause(600).then(() => ({ status: 200, headers: [], body: '' }))
  const response = await sendRaw(url, 'POST', '/oauth/token', [], '')
  expect(response.status).toBe(503)
  expect(response.body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) })
  const path = '/.well-known/oauth-authorization-server'
  expectProblem(await sendRaw(url, 'GET', path, []), 'service_unavailable', path)
  world.authz.state.http = before
})
