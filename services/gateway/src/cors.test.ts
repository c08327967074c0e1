/** CORS: only registered origins, and never with credentials. */

import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from './authz.test-helper.ts'
import { sendRaw, startWorld, type World } from './gateway.test-helper.ts'

const app = 'https://app.example.test'
let world: World
let url: string

beforeAll(async () => {
  world = await startWorld()
  url = world.gateways[0]?.url as string
  while (!(await read(app)).headers.has('access-control-allow-origin')) await pause(10)
})
afterAll(() => world.stop())

const read = (origin: string, path = '/v1/health') => sendRaw(url, 'GET', path, [['Origin', origin]])
const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const exposed = {
  'access-control-allow-origin': app,
  'access-control-expose-headers': 'Idempotent-Replayed, DPoP-Nonce, X-Request-Id, Retry-After, WWW-Authenticate, Date',
}

test('a registered origin may read every response, refusals included', async () => {
  for (const path of ['/v1/health', '/v1/operations', '/v1/nothing', '/v1/operations/%']) {
    const response = await read(app, path)
    expect(corsOf(response.headers)).toEqual(exposed)
    expect(response.headers.get('vary')).toBe('Origin')
  }
  const notAllowed = await sendRaw(url, 'PUT', '/v1/health', [['Origin', app]])
  expect([notAllowed.status, corsOf(notAllowed.headers)]).toEqual([405, exposed])
})

test('no other origin may', async () => {
  for (const origin of ['https://app.example.test.evil.example', 'http://app.example.test', 'null', '*', `${app}/`]) {
    const response = await read(origin)
    expect(response.status).toBe(200)
    expect(corsOf(response.headers)).toEqual({})
    expect(response.headers.get('vary')).toBe('Origin')
  }
})

test('an origin that is registered later is known soon after its client changed', async () => {
  const another = 'https://another.example.test'
  expect((await read(another)).headers.has('access-control-allow-origin')).toBe(false)
  world.authz.state.origins.push(another)
  world.authz.publish({ client_id: 'another' })
  while (!(await read(another)).headers.has('access-control-allow-origin')) await pause(20)
})

const rows = Object.entries(routes as Record<string, Route>)
const readable = rows.filter(([, row]) => !row.browserSession && row.audience === 'customer')

test.each(readable)('a preflight for %s allows what the path takes', async (_name, row) => {
  const methods = Object.values(routes).filter((other) => other.path === row.path)
  const path = row.path.replaceAll(/\{\w+\}/g, 'x')
  const preflight = (origin: string) =>
    sendRaw(url, 'OPTIONS', path, [
      ['Origin', origin],
      ['Access-Control-Request-Method', row.method],
      ['Access-Control-Request-Headers', 'authorization, dpop'],
    ])
  const response = await preflight(app)
  expect(response.status).toBe(204)
  expect(corsOf(response.headers)).toEqual({
    ...exposed,
    'access-control-allow-methods': methods
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', '),
    'access-control-allow-headers':
      'authorization, dpop, content-type, idempotency-key, confirmation-intent-id, x-request-id, traceparent',
    'access-control-max-age': '600',
  })
  expect(response.headers.get('x-request-id')).toBeTruthy()
  const foreign = await preflight('https://other.example')
  expect([foreign.status, corsOf(foreign.headers)]).toEqual([204, {}])
})

test.each(rows.filter(([, row]) => row.audience === 'operator'))(
  'no browser of another origin hears anything of %s, whatever is registered',
  async (_name, row) => {
    const path = row.path.replaceAll(/\{\w+\}/g, 'x')
    const origin: [string, string] = ['Origin', app]
    const preflight: [string, string][] = [origin, ['Access-Control-Request-Method', row.method]]
    const answers = [
      await sendRaw(url, 'OPTIONS', path, preflight),
      await sendRaw(url, row.method, path, [origin]),
      await sendRaw(url, 'PUT', path, [origin]),
    ]
    expect(answers.map(({ status }) => status)).toEqual([204, 401, 405])
    for (const { headers } of answers) {
      expect(corsOf(headers)).toEqual({})
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  },
)
