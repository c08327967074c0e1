/**
 * Unusual request targets (literal paths beside templates, escapes, long and repeated queries), and the caching of
 * answers.
 */

import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { scopeNames } from '@financial-agents/contract/scopes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allAreas, type Seen } from './areas.test-helper.ts'
import { grant } from './authz.test-helper.ts'
import { expectProblem, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

const rows = Object.entries(routes) as [string, Route][]
const templateOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
const literals = rows.filter(
  ([, row]) =>
    !row.path.includes('{') && rows.some(([, { path }]) => path !== row.path && templateOf(path).test(row.path)),
)

let world: World
let url: string
let token: string
let seen: (Seen & { route: string })[] = []

beforeAll(async () => {
  world = await startWorld({}, { areas: allAreas })
  world.authz.grants.set('grant-of-all', { ...grant, grant_id: 'grant-of-all', scopes: [...scopeNames] })
  token = await world.authz.token(world.maker, { grant_id: 'grant-of-all', scope: scopeNames.join(' ') })
  url = world.gateways[0]?.url as string
  for (const [name] of rows)
    world.areas.set(name, (request) => {
      seen.push({ ...request, route: name })
      return { ok: true, data: {} }
    })
})
afterAll(() => world.stop())

const takesBody = (method: string, path: string) =>
  rows.some(([, row]) => row.method === method && row.body !== null && templateOf(row.path).test(path))
const reach = async (method: string, path: string) => {
  seen = []
  const confirmed: [string, string][] = [['Confirmation-Intent-ID', 'intent-0123456789abcdef']]
  const body = takesBody(method, path) ? { body: '{}' } : {}
  return world.request(method, path, { token, key: 'key-0123456789abcdef', headers: confirmed, ...body })
}

describe('a literal path', () => {
  test('stands beside a template in these places', () => {
    expect(literals.map(([name]) => name)).toEqual(
      expect.arrayContaining(['getWithdrawalLimits', 'createPurchaseQuote', 'listPayoutSchemas']),
    )
  })

  test.each(literals)('of %s wins over the template', async (name, row) => {
    const response = await reach(row.method, row.path)
    expect(response.status).toBe(row.status)
    expect(seen.map(({ route }) => route)).toEqual([name])
  })

  test.each(literals)('of %s is taken for no identifier by any other method', async (_name, row) => {
    const methods = rows.filter(([, { path }]) => path === row.path).map(([, { method }]) => method as string)
    const taken = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'].filter((one) => !taken.includes(one))) {
      const response = await reach(method, row.path)
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(taken.toSorted())
      expect(seen).toEqual([])
    }
  })
})

describe('an identifier in the path', () => {
  test.each([
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['%2e%2e', '..'],
    ['a%3Fb%23c', 'a?b#c'],
    ['a;b=c', 'a;b=c'],
    ['a+b', 'a+b'],
    ['a%5Cb', 'a\\b'],
    ['%E2%82%AC', '€'],
    ['a:b@c', 'a:b@c'],
    // Not one of our ids: the area answers that it does not exist.
    ['a%00', 'a\u0000'],
    ['%0D%0Aa', '\r\na'],
  ])('%s arrives as %s', async (written, read) => {
    expect((await reach('GET', `/v1/operations/${written}`)).status).toBe(200)
    expect(seen.map(({ params }) => params)).toEqual([{ id: read }])
  })

  test('that holds a slash reaches no other route', async () => {
    expect((await reach('GET', '/v1/cards/a%2Factivity')).status).toBe(200)
    expect(seen.map(({ route, params }) => [route, params])).toEqual([['getCard', { card_id: 'a/activity' }]])
  })

  test.each(['%ED%A0%80', '%FF', '%C0%AF'])('%s is no text, and refused', async (written) => {
    const response = await reach('GET', `/v1/operations/${written}`)
    expect(response.status).toBe(400)
    expect(seen).toEqual([])
  })
})

describe('the query', () => {
  test('of thousands of characters goes on whole', async () => {
    const value = 'x'.repeat(8_000)
    expect((await reach('GET', `/v1/operations?kind=${value}`)).status).toBe(200)
    expect(seen[0]?.query).toEqual({ kind: value })
  })

  test('beyond what a head may hold is refused as a problem', async () => {
    const response = await sendRaw(url, 'GET', `/v1/health?${'x'.repeat(20_000)}`, [])
    expect(response.status).toBe(431)
    expect(response.body).toMatchObject({ code: 'request_header_too_large' })
  })

  test.each(['limit=1&l%69mit=2', 'limit&limit', 'limit=1&limit=1', '=1&=2'])(
    '%s names a parameter twice',
    async (query) => {
      const response = await reach('GET', `/v1/operations?${query}`)
      expect(expectProblem(response, 'validation_failed', '/v1/operations').fields).toHaveLength(1)
      expect(seen).toEqual([])
    },
  )

  test('names every repeated parameter, thirty-two at most', async () => {
    const query = Array.from({ length: 80 }, (_, index) => `p${index % 40}=1`).join('&')
    const { fields } = expectProblem(
      await reach('GET', `/v1/operations?${query}`),
      'validation_failed',
      '/v1/operations',
    )
    expect(fields).toHaveLength(32)
  })
})

/** The request id of an answer is unique. A cache may repeat it only if the answer contains nothing that changes. */
describe('what may be kept', () => {
  test.each(rows)('of %s is what its row says, and no refusal', async (_name, row) => {
    const path = row.path.replaceAll(/\{\w+\}/g, 'x')
    const refusal = await sendRaw(url, row.method, `${path}?unknown=1&unknown=2`, [])
    expect(refusal.status).toBeGreaterThanOrEqual(400)
    expect(refusal.headers.get('cache-control')).toBe('no-store')
    expect(refusal.headers.get('x-content-type-options')).toBe('nosniff')
    if (row.method === 'DELETE') return
    const answer =
      row.scope === null && row.service === 'gateway'
        ? await sendRaw(url, 'GET', path, [])
        : await reach(row.method, path)
    const expected = row.maxAgeS === null ? 'no-store' : `public, max-age=${row.maxAgeS}`
    if (answer.status < 300) expect(answer.headers.get('cache-control')).toBe(expected)
    else expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('is the description of the API alone', () => {
    expect(rows.filter(([, { maxAgeS }]) => maxAgeS !== null).map(([name]) => name)).toEqual(['getOpenapi'])
  })
})
