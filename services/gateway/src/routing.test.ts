/** Decisions §1: every path of the table with its methods, the system routes, and the pages. */

import { failureCodeNames } from '@financial-agents/contract/failure-codes'
import { problemCodes } from '@financial-agents/contract/problem-catalogue'
import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { health, metadata, publicConfig } from '@financial-agents/contract/schemas/system'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allAreas } from './areas.test-helper.ts'
import { baseUrl } from './authz.test-helper.ts'
import { expectProblem, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await startWorld({ ENABLED_CAPABILITIES: 'transfers.execute' }, { areas: allAreas })
  url = world.gateways[0]?.url as string
})
afterAll(() => world.stop())

const browser: [string, string][] = [['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8']]

const read = async (path: string) => {
  const response = await sendRaw(url, 'GET', path, [])
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return response.body
}

const rows = Object.entries(routes) as [string, Route][]
const concrete = (path: string) => path.replaceAll(/\{\w+\}/g, 'x')

describe.each(rows)('%s', (_name, row) => {
  const path = concrete(row.path)
  const taken = rows.filter(([, other]) => other.path === row.path).map(([, other]) => other.method)
  const methods = taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

  test('does not take other methods, and lists those it takes', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH']) {
      if (methods.includes(method)) continue
      const response = await sendRaw(url, method, path, [])
      expectProblem(response, 'method_not_allowed', path)
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(methods.toSorted())
    }
  })

  test('takes HEAD exactly where it takes GET, and answers it without a body', async () => {
    const [head, read] = [await sendRaw(url, 'HEAD', path, []), await sendRaw(url, 'GET', path, [])]
    expect([head.status, head.text]).toEqual([read.status, ''])
    expect(head.headers.get('allow')).toEqual(read.headers.get('allow'))
  })

  test('needs credentials exactly where it has a scope', async () => {
    const response = await sendRaw(url, row.method, path, [])
    if (row.scope === null) expect(response.status).toBe(row.status)
    else expectProblem(response, 'invalid_token', path, row.refreshOnboarding ? false : undefined)
    expect(response.headers.has('dpop-nonce')).toBe(row.scope !== null)
  })
})

test.each([
  '/',
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/operations/',
  '/v1/operations/a/b',
  '/V1/operations',
  '//v1/operations',
  '/v1/../v1/operations',
  '/v2/operations',
  '/problems/none',
  '/problems/__proto__',
])('%s is not there, for any method', async (path) => {
  for (const method of ['GET', 'POST', 'PROPFIND', 'OPTIONS'])
    if (!path.startsWith('/problems/') || method === 'GET')
      expectProblem(await sendRaw(url, method, path, []), 'route_not_found', path)
})

test('an identifier of any length is for the service to validate', async () => {
  const path = `/v1/operations/${'a'.repeat(4_000)}`
  expect((await world.request('GET', path)).status).toBe(200)
})

test('a target in absolute form is served by its path', async () => {
  expect((await sendRaw(url, 'GET', 'http://elsewhere.example/v1/health?', [])).status).toBe(200)
  expectProblem(await sendRaw(url, 'GET', 'http://elsewhere.example/nothing?x', []), 'route_not_found', '/nothing')
  expectProblem(await sendRaw(url, 'GET', 'ftp://elsewhere.example/v1/health', []), 'route_not_found', '/')
})

describe('system', () => {
  test('health says of each part whether it works', async () => {
    const body = health.parse(await read('/v1/health'))
    expect(body.status).toBe('ok')
    expect(body.checks).toEqual([
      { name: 'bus', status: 'ok' },
      { name: 'grant_feed', status: 'ok' },
    ])
  })

  test('metadata names the environment and its origin', async () => {
    expect(metadata.parse(await read('/v1/metadata'))).toMatchObject({
      version: '1.0.0',
      environment: 'test',
      issuer: baseUrl,
      resource: baseUrl,
    })
  })

  test('public configuration has five capabilities, of which only what is enabled is available', async () => {
    const { capabilities, ...others } = publicConfig.parse(await read('/v1/public-config'))
    expect(others).toEqual({})
    const documentation_url = `${baseUrl}/docs`
    const absent = { available: false, documentation_url, reason_code: 'not_in_this_release' }
    expect(capabilities).toEqual({
      cards: { reveal: { available: false, documentation_url, reason_code: 'not_enabled' } },
      provider_events: { inbound: absent },
      purchases: { exact_execute: absent, query_execute: absent },
      transfers: { execute: { available: true, documentation_url, reason_code: null } },
    })
  })

  test('HEAD answers as GET does, without the body, and Allow names it', async () => {
    for (const path of [
      '/v1/metadata',
      '/v1/public-config',
      '/v1/openapi.json',
      '/problems/validation_failed',
      '/docs/',
      '/v1/nothing',
    ]) {
      const [read, head] = [await fetch(url + path), await fetch(url + path, { method: 'HEAD' })]
      expect([path, head.status, await head.text()]).toEqual([path, read.status, ''])
      const names = ['content-type', 'content-length', 'cache-control', 'etag']
      expect(names.map((name) => head.headers.get(name))).toEqual(names.map((name) => read.headers.get(name)))
      await read.body?.cancel()
    }
    const refused = await fetch(`${url}/v1/metadata`, { method: 'PUT' })
    expect(refused.headers.get('allow')).toBe('GET, HEAD')
  })

  test('an unknown parameter is named there too', async () => {
    const response = await sendRaw(url, 'GET', '/v1/health?verbose=1', [])
    const { fields } = expectProblem(response, 'validation_failed', '/v1/health')
    expect(fields).toEqual([{ path: 'verbose', message: 'Unknown member: remove it.' }])
  })
})

describe('the pages', () => {
  const paths = [
    '/problems',
    '/failure-codes',
    ...problemCodes.map((code) => `/problems/${code}`),
    ...failureCodeNames.map((code) => `/failure-codes/${code}`),
  ]

  test.each(paths)('%s exists, without anything that could run', async (path) => {
    const response = await sendRaw(url, 'GET', path, [])
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
    expect(response.text).toContain('color-scheme:light dark')
    expect(response.text).not.toMatch(/<script|javascript:| on\w+=/)
    expect(response.headers.get('x-request-id')).toBeTruthy()
  })

  test('say like every page that no real money moves', async () => {
    for (const path of ['/', '/problems', '/failure-codes/provider_refused', '/problems/nothing', '/nope'])
      expect((await sendRaw(url, 'GET', path, browser)).text, path).toContain('no real money moves here.</p>')
  })

  test('do not take other methods', async () => {
    const response = await sendRaw(url, 'POST', '/problems/rate_limited', [])
    expectProblem(response, 'method_not_allowed', '/problems/rate_limited')
    const page = await sendRaw(url, 'POST', '/problems/rate_limited', browser)
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(page.text).toContain('<h1>This address cannot be opened like that</h1>')
  })
})

describe('an address that leads nowhere', () => {
  test.each(['/nope', '/nope/', '/v2/operations', '/v10', '/oauthx', '/problems/nothing', '/failure-codes/nothing'])(
    'is a page in a browser, in its language: %s',
    async (path) => {
      const page = await sendRaw(url, 'GET', path, [
        ...browser,
        ['Accept-Language', 'de'],
        ['X-Request-Id', 'reference-1'],
      ])
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.text).toContain('<h1>Diese Seite gibt es nicht</h1>')
      expect(page.text).toContain('reference-1')
      expectProblem(await sendRaw(url, 'GET', path, []), 'route_not_found', path)
    },
  )

  test.each(['/v1', '/v1/nope', '/v1/operations/', '/.well-known', '/oauth'])(
    'is a problem below the API, in a browser too: %s',
    async (path) => {
      expectProblem(await sendRaw(url, 'GET', path, browser), 'route_not_found', path)
    },
  )

  test('has no body where a browser asks for the head alone', async () => {
    const { status, text } = await sendRaw(url, 'HEAD', '/nope', browser)
    expect([status, text]).toEqual([404, ''])
  })
})
