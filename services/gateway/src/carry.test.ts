/**
 * Paths that authz answers: the carried request, the returned answer, and the client's answer if authz is out of reach.
 */

import type { TunnelledRequest } from '@financial-agents/bus/messages/http'
import { oauthUnavailable } from '@financial-agents/pages/tunnel/oauth-unavailable'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nobody } from './authz.test-helper.ts'
import { expectProblem, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

let world: World
let url: string
/** A world whose authz never answers. It is another one, because a request may arrive there after its deadline. */
let away: World
let tunnelled: TunnelledRequest | undefined

beforeAll(async () => {
  world = await startWorld({ TRUSTED_PROXIES: 'loopback' })
  url = world.gateways[0]?.url as string
  away = await startWorld({ REQUEST_DEADLINE_MS: '300' }, { connection: { graceMs: 0 } })
  away.authz.state.http = () => new Promise(() => {})
  world.authz.state.http = async (request) => {
    tunnelled = request
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
afterAll(() => Promise.all([world.stop(), away.stop()]))

const sendAway = (...request: [method: string, target: string, headers: [string, string][], body?: string]) =>
  sendRaw(away.gateways[0]?.url as string, ...request)

test('a request arrives as it was sent, without the headers of the connection', async () => {
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
  expect(tunnelled).toEqual({
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
    ['GET', '/interaction/abc'],
    ['POST', '/interaction/abc/consent'],
    ['GET', '/sign-in/return'],
    ['POST', '/sign-out'],
    ['HEAD', '/device'],
    ['POST', '/device'],
    ['GET', '/device/done'],
    ['OPTIONS', '/account'],
    ['POST', '/account/revoke'],
    ['GET', '/confirm/01980000-0000-7000-8000-000000000001'],
    ['GET', '/approval/return/01980000-0000-7000-8000-000000000001'],
    ['POST', '/sign-out'],
  ] as const) {
    await sendRaw(url, method, path, [])
    expect(tunnelled).toMatchObject({ method, target: path, body: '' })
  }
  for (const path of ['/oauthx', '/devices', '/accounts', '/interaction', '/confirm', '/approval', '/v1/account'])
    expectProblem(await sendRaw(url, 'GET', path, []), 'route_not_found', path)
})

test.each([
  '/oauth/../v1/operations',
  '/oauth/%2e%2E/.well-known/openid-configuration',
  '/.well-known/../oauth/token',
  '/oauth/./token',
  '/oauth/token/..',
  '/oauth\\..\\token',
  '/oauth/\\token',
  '/account/../v1/session',
  '/interaction/%2e%2e/account',
])('the path %s, which others would resolve, is not carried', async (path) => {
  tunnelled = undefined
  expectProblem(await sendRaw(url, 'GET', path, []), 'route_not_found', path)
  expect(tunnelled).toBeUndefined()
})

test('a preflight is answered here, and an unregistered origin gets no CORS headers', async () => {
  tunnelled = undefined
  const headers: [string, string][] = [
    ['Origin', 'https://evil.example'],
    ['Access-Control-Request-Method', 'POST'],
  ]
  const response = await sendRaw(url, 'OPTIONS', '/oauth/token', headers)
  expect(response.status).toBe(204)
  expect(response.headers.has('access-control-allow-origin')).toBe(false)
  expect(tunnelled).toBeUndefined()
})

test('a body that is too large is refused with an OAuth error', async () => {
  const response = await sendRaw(url, 'POST', '/oauth/token', [], 'x'.repeat(65_537))
  expect(response.status).toBe(413)
  expect(response.body).toEqual({ error: 'invalid_request', error_description: expect.any(String) })
  expect(response.headers.get('x-request-id')).toBeTruthy()
})

test('authz without an answer, or absent, is unavailable', async () => {
  const response = await sendAway('POST', '/oauth/token', [], '')
  expect(response.status).toBe(503)
  expect(response.body).toEqual(oauthUnavailable)
  expect(response.headers.get('retry-after')).toBe('1')
  const path = '/.well-known/oauth-authorization-server'
  expectProblem(await sendAway('GET', path, []), 'service_unavailable', path)
})

const app = 'https://app.example.test'
const registered: [string, string][] = [['Origin', app]]
const browser: [string, string][] = [['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8']]
const corsOf = (headers: Headers) => [...headers].filter(([name]) => name.startsWith('access-control-'))
const answer = (headers: [string, string][], value: unknown = '') => {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')
  world.authz.state.http = async (request) => {
    tunnelled = request
    return { status: 200, headers, body }
  }
}

const exposed = 'Idempotent-Replayed, DPoP-Nonce, X-Request-Id, Retry-After, WWW-Authenticate, Date'
const readableBy = (origin: string) => [
  ['access-control-allow-origin', origin],
  ['access-control-expose-headers', exposed],
]
const ofAuthz: [string, string][] = [
  ['Access-Control-Allow-Origin', 'https://evil.example'],
  ['Access-Control-Expose-Headers', 'DPoP-Nonce'],
  ['Vary', 'Origin'],
]

test.each(['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/device', '/oauth/nothing'])(
  'every answer of %s may be read by a registered origin and by no other, whatever authz says',
  async (path) => {
    for (const headers of [ofAuthz, []])
      for (const status of [200, 400, 401, 405, 503]) {
        world.authz.state.http = async () => ({ status, headers, body: '' })
        const reported = await sendRaw(url, 'POST', path, registered)
        expect([reported.status, corsOf(reported.headers)]).toEqual([status, readableBy(app)])
        expect(reported.headers.get('vary')).toBe('Origin')
        for (const origin of ['https://evil.example', 'null'])
          expect(corsOf((await sendRaw(url, 'POST', path, [['Origin', origin]])).headers)).toEqual([])
        expect(corsOf((await sendRaw(url, 'POST', path, [])).headers)).toEqual([])
      }
    const large = await sendRaw(url, 'POST', path, registered, 'x'.repeat(65_537))
    expect([large.status, corsOf(large.headers)]).toEqual([413, readableBy(app)])
  },
)

const published = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/v1',
  '/.well-known/oauth-authorization-server/v1/accounts',
  '/.well-known/nothing',
  '/.well-known/webhooks-jwks.json',
  '/oauth/jwks',
]
test('an answer that authz keeps to this origin is read by no other, registered or not', async () => {
  answer([['Cross-Origin-Resource-Policy', 'same-origin'], ...ofAuthz])
  expect(corsOf((await sendRaw(url, 'POST', '/oauth/token', registered)).headers)).toEqual([])
})

test.each(published)('%s may be read by every origin, its refusals included', async (path) => {
  for (const status of [200, 404, 405, 503]) {
    world.authz.state.http = async () => ({ status, headers: ofAuthz, body: '' })
    for (const from of [registered, [['Origin', 'https://any.example']], []] as [string, string][][])
      for (const method of ['GET', 'POST']) {
        const { headers } = await sendRaw(url, method, path, from)
        expect(corsOf(headers)).toEqual(readableBy('*'))
        expect(headers.get('vary')).toBeNull()
      }
  }
  tunnelled = undefined
  const asked: [string, string][] = [
    ['Origin', 'https://any.example'],
    ['Access-Control-Request-Method', 'GET'],
    ['Access-Control-Request-Headers', 'mcp-protocol-version'],
  ]
  const { status, headers } = await sendRaw(url, 'OPTIONS', path, asked)
  expect([status, tunnelled]).toEqual([204, undefined])
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD')
  expect(headers.get('access-control-allow-headers')).toMatch(/, \*$/)
})

test('a document that is away may be read as such by every origin', async () => {
  const { status, headers } = await sendAway('GET', '/.well-known/openid-configuration', [
    ['Origin', 'https://any.example'],
  ])
  expect([status, corsOf(headers)]).toEqual([503, readableBy('*')])
})

test.each([
  '/account',
  '/interaction/abc',
  '/confirm/abc',
  '/approval/return/abc',
  '/v1/session',
  '/oauth/authorize',
  '/oauth/authorize/abc',
])('the page %s takes no part in CORS, whatever is asked and whoever asks', async (path) => {
  answer([], nobody)
  const preflight: [string, string][] = [...registered, ['Access-Control-Request-Method', 'GET']]
  world.authz.state.http = async () => ({ status: 405, headers: [['Allow', 'GET']], body: '' })
  const answers = [await sendRaw(url, 'OPTIONS', path, preflight), await sendRaw(url, 'PUT', path, registered)]
  answer([], nobody)
  answers.push(await sendRaw(url, 'GET', path, registered))
  answers.push(await sendAway('GET', path, registered))
  expect(answers.map(({ headers }) => corsOf(headers))).toEqual([[], [], [], []])
  expect(answers.map(({ status }) => status).slice(1)).toEqual([405, 200, 503])
})

test('if authz is away, a person gets a page with advice, and all others get the problem', async () => {
  for (const path of ['/account', '/oauth/authorize?client_id=x', '/device']) {
    const page = await sendAway('GET', path, [...browser, ['X-Request-Id', 'reference-1']])
    expect(page.status).toBe(503)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.text).toMatch(/<h1>This page is not available right now<\/h1>/)
    expect(page.text).toContain('reference-1')
  }
  expectProblem(await sendAway('GET', '/account', []), 'service_unavailable', '/account')
  expectProblem(await sendAway('GET', '/v1/session', browser), 'service_unavailable', '/v1/session')
  const token = await sendAway('POST', '/oauth/token', browser, '')
  expect(token.body).toMatchObject({ error: 'temporarily_unavailable' })
})

test('a form that is too large is refused before it is read, as a page to a person', async () => {
  answer([])
  tunnelled = undefined
  const large = 'x'.repeat(65_537)
  const page = await sendRaw(url, 'POST', '/interaction/abc/consent', browser, large)
  expect([page.status, page.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
  expectProblem(await sendRaw(url, 'POST', '/account/revoke', [], large), 'payload_too_large', '/account/revoke')
  expect(tunnelled).toBeUndefined()
})

describe('GET /v1/session', () => {
  const session = {
    authenticated: true,
    display_name: 'Ines',
    csrf_token: 'a-token',
    expires_at: '2030-01-01T00:00:00.000Z',
  }

  test('is carried with its cookies, and returns those of authz in the shape of the contract', async () => {
    answer(
      [
        ['Set-Cookie', 'session=1; HttpOnly'],
        ['Set-Cookie', 'other=2; HttpOnly'],
        ['Access-Control-Allow-Origin', '*'],
        ['X-Other', 'no'],
      ],
      session,
    )
    const response = await sendRaw(url, 'GET', '/v1/session', [...registered, ['Cookie', 'session=0']])
    expect(tunnelled).toMatchObject({ method: 'GET', target: '/v1/session', body: '' })
    expect(tunnelled?.headers).toContainEqual(['cookie', 'session=0'])
    expect([response.status, response.body]).toEqual([200, session])
    expect(response.rawHeaders.filter((value) => /^(session|other)=/.test(value))).toHaveLength(2)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(response.headers.has('x-other')).toBe(false)
    expect(response.headers.has('dpop-nonce')).toBe(false)
    expect(corsOf(response.headers)).toEqual([])
  })

  test('takes no query and no body, and answers only in its shape', async () => {
    answer([], session)
    const path = '/v1/session'
    const queried = await sendRaw(url, 'GET', `${path}?surprise=1`, [])
    expect(expectProblem(queried, 'validation_failed', path).fields).toMatchObject([{ path: 'surprise' }])
    expectProblem(await sendRaw(url, 'GET', path, [], 'x'), 'validation_failed', path)
    const empty = await sendRaw(url, 'GET', path, [['Transfer-Encoding', 'chunked']], '')
    expect(empty.status).toBe(200)
    for (const other of ['', 'no JSON', { ...session, email: 'x' }, []]) {
      answer([], other)
      expectProblem(await sendRaw(url, 'GET', path, []), 'response_contract_failed', path)
    }
  })
})
