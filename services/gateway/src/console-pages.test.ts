/** The console's pages: carried like those of authz, or answered on the console's own host. */

import { routes } from '@financial-agents/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nobody } from './authz.test-helper.ts'
import { type Console, startConsole } from './console.test-helper.ts'
import { expectProblem, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

let world: World
let console: Console
let url: string
/** A world whose console never answers. It is another one, because a request may arrive there after its deadline. */
let away: World

beforeAll(async () => {
  world = await startWorld()
  console = await startConsole(world.nats)
  url = world.gateways[0]?.url as string
  away = await startWorld({ REQUEST_DEADLINE_MS: '300' }, { connection: { graceMs: 0 } })
  const silent = await startConsole(away.nats)
  silent.state.http = () => new Promise(() => {})
})
afterAll(() => Promise.all([world.stop(), away.stop()]))

const sendAway = (target: string, headers: [string, string][]) =>
  sendRaw(away.gateways[0]?.url as string, 'GET', target, headers)

const app = 'https://app.example.test'
const browser: [string, string][] = [['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8']]
const corsOf = (headers: Headers) => [...headers].filter(([name]) => name.startsWith('access-control-'))

test('every method and path below is carried to the console, cookies both ways', async () => {
  console.state.http = async () => ({ status: 303, headers: [['Set-Cookie', 'console=2; HttpOnly']], body: '' })
  for (const [method, path] of [
    ['GET', '/ops'],
    ['GET', '/ops/operations?state=indeterminate'],
    ['POST', '/ops/grants/01980000-0000-7000-8000-000000000001/suspend'],
    ['HEAD', '/ops/sign-in'],
    ['OPTIONS', '/ops'],
    ['PROPFIND', '/ops/audit'],
  ] as const) {
    const response = await sendRaw(url, method, path, [['Cookie', 'console=1']])
    expect(response.rawHeaders).toContain('console=2; HttpOnly')
    expect(console.state.tunnelled).toMatchObject({ method, target: path })
    expect(console.state.tunnelled?.headers).toContainEqual(['cookie', 'console=1'])
    expect(console.state.tunnelled?.headers).toContainEqual(['host', 'api.example.test'])
  }
  console.state.tunnelled = undefined
  for (const path of ['/opsx', '/operations', '/ops/../account', '/ops/%2e%2e/account', '/ops\\x'])
    expectProblem(await sendRaw(url, 'GET', path, []), 'route_not_found', path)
  expect(console.state.tunnelled).toBeUndefined()
})

test('they take no part in CORS, also where the gateway answers', async () => {
  const origin: [string, string] = ['Origin', app]
  const answers = [await sendRaw(url, 'GET', '/ops', [origin])]
  answers.push(await sendAway('/ops/operations', [origin]))
  expect(answers.map(({ status }) => status)).toEqual([303, 503])
  for (const { headers } of answers) expect(corsOf(headers)).toEqual([])
})

test('if the console is away, a person gets a page with advice, and all others get the problem', async () => {
  const page = await sendAway('/ops', [...browser, ['X-Request-Id', 'reference-1']])
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
  expect(page.text).toContain('reference-1')
  expectProblem(await sendAway('/ops', []), 'service_unavailable', '/ops')
  const large = await sendRaw(url, 'POST', '/ops/sign-out', browser, 'x'.repeat(65_537))
  expect([large.status, large.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
})

describe('on a host of its own', () => {
  let own: string
  const get = (path: string, host: string, method = 'GET') => sendRaw(own, method, path, [['Host', host]])

  beforeAll(async () => {
    const gateway = await world.startAnother({ CONSOLE_BASE_URL: 'https://console.example.test' })
    own = gateway.url
    console.state.http = async () => ({ status: 200, headers: [], body: '' })
    world.authz.state.http = async ({ target }) => {
      const body = target === '/v1/session' ? Buffer.from(JSON.stringify(nobody)).toString('base64') : ''
      return { status: 200, headers: [], body }
    }
  })

  test('only the console answers there, under that name', async () => {
    for (const host of ['console.example.test', 'CONSOLE.example.test:443', 'console.example.test.']) {
      console.state.tunnelled = undefined
      expect((await get('/ops/grants', host)).status, host).toBe(200)
      expect(console.state.tunnelled?.['headers']).toContainEqual(['host', 'console.example.test'])
    }
    console.state.tunnelled = undefined
    for (const host of ['api.example.test', 'console.example.test:8443', 'xconsole.example.test', '127.0.0.1', ''])
      for (const path of ['/ops', '/ops/grants', '/%6Fps/grants'])
        expectProblem(await get(path, host), 'route_not_found', path)
    expect(console.state.tunnelled).toBeUndefined()
  })

  test.each([...new Set(Object.values(routes).map(({ path }) => path.replaceAll(/\{\w+\}/g, 'x')))])(
    'there is no %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expectProblem(await get(path, 'console.example.test', method), 'route_not_found', path)
    },
  )

  test('nor any page, endpoint or metadata of the API', async () => {
    for (const path of ['/', '/account', '/oauth/token', '/problems', '/.well-known/openid-configuration'])
      expectProblem(await get(path, 'console.example.test'), 'route_not_found', path)
    expect((await get('/problems', 'api.example.test')).status).toBe(200)
    expect((await get('/account', 'api.example.test')).status).toBe(200)
    expect((await get('/v1/health', 'whatever.example')).status).toBe(200)
  })

  test('a target in absolute form names the host, whatever the header says', async () => {
    const absolute = await get('https://console.example.test/ops', 'api.example.test')
    expect(absolute.status).toBe(200)
    expectProblem(await get('https://api.example.test/ops', 'console.example.test'), 'route_not_found', '/ops')
  })
})
