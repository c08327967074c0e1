/** The page at `/`: for browsers alone, and with first lines only where no real money moves. */

import { unbranded } from '@financial-agents/pages/branding'
import { englishReader } from '@financial-agents/pages/reader'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseUrl } from './authz.test-helper.ts'
import { createFrontPage } from './front-page.ts'
import { expectProblem, sendRaw, startWorld, type World } from './gateway.test-helper.ts'
import { createSite } from './site.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await startWorld({ FIRST_CLIENT_ID: 'some-agent' })
  url = world.gateways[0]?.url as string
})
afterAll(() => world.stop())

const html: [string, string][] = [['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8']]

test('a browser gets a page without scripts that nobody keeps', async () => {
  const response = await sendRaw(url, 'GET', '/', html)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action/,
  )
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('vary')).toBe('Accept-Language, Cookie, Accept')
  expect(response.headers.get('content-language')).toBe('en')
  expect(response.text).toContain('<code>some-agent</code>')
})

test.each(['application/json', '*/*', 'application/problem+json, text/html;q=0.9'])(
  'a program that accepts %s gets a problem',
  async (accept) => {
    expectProblem(await sendRaw(url, 'GET', '/', [['Accept', accept]]), 'route_not_found', '/')
  },
)

test('a clock that was moved is the time that clients learn', async () => {
  const dateOf = async () => Date.parse((await sendRaw(url, 'GET', '/v1/health', [])).headers.get('date') ?? '')
  const before = await dateOf()
  world.clock.setOffsetMs(86_400_000)
  expect(Math.abs((await dateOf()) - before - 86_400_000)).toBeLessThan(3_600_000)
  world.clock.setOffsetMs(0)
})

test('another method gets the answer of an address that leads nowhere, from a browser too', async () => {
  for (const method of ['POST', 'DELETE']) expect((await sendRaw(url, method, '/', html)).status, method).toBe(404)
})

const bodyOf = (shown: Parameters<typeof createFrontPage>[0]) => {
  const site = createSite({ baseUrl, branding: unbranded, languages: ['en'], environment: shown.ENVIRONMENT })
  return String(createFrontPage(shown, site)(englishReader).body)
}

const given = {
  BRAND_NAME: undefined,
  PUBLIC_BASE_URL: baseUrl,
  CONSOLE_BASE_URL: undefined,
  ENABLED_CAPABILITIES: [],
  FIRST_CLIENT_ID: 'some-agent',
  DOCUMENTATION_URL: undefined,
}

test('where money is real there are no lines to copy, no client and no console', () => {
  const body = bodyOf({ ...given, ENVIRONMENT: 'production' })
  expect(body).not.toMatch(/<pre|some-agent|\/ops|no real money|npx/)
  for (const path of ['/account', '/problems', `${baseUrl}/docs`]) expect(body).toContain(`href="${path}"`)
})

test('without a client for developers there is only the line that needs none', () => {
  const body = bodyOf({ ...given, ENVIRONMENT: 'test', FIRST_CLIENT_ID: undefined })
  expect(body).toContain('Test environment: no real money moves here.')
  expect(body.match(/<pre/g)).toHaveLength(1)
})

test('the payment is a first line only where payments are enabled', () => {
  const pageWith = (enabled: ('transfers.execute' | 'cards.reveal')[]) =>
    bodyOf({ ...given, ENVIRONMENT: 'local', ENABLED_CAPABILITIES: enabled })
  expect(pageWith([])).not.toContain('recipe pay')
  expect(pageWith(['transfers.execute'])).toContain('recipe pay')
})
