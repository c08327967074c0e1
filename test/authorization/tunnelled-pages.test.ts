/** Pages as the gateway delivers them: methods, limits and headers. */

import { describe, expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { obtainTokens } from './flow.ts'
import { exchange, form, type HeaderList } from './http.ts'
import { createParty } from './party.ts'

const browser: HeaderList = [['accept', 'text/html,application/xhtml+xml,*/*;q=0.8']]
const ask = (method: string, path: string, headers: HeaderList = browser, body?: string) =>
  exchange(environment().baseUrl + path, method, headers, body)
const html = 'text/html; charset=utf-8'

const pages = ['/account', '/device', '/problems', '/problems/rate_limited', '/failure-codes']

describe.each(pages)('the page %s', (path) => {
  test('loads nothing, runs nothing, is framed by nobody and stored nowhere', async () => {
    const page = await ask('GET', path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, html])
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'/)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
    expect(page.headers.get('x-request-id')).toMatch(/^[\w.~-]{8,128}$/)
    expect(page.text).not.toMatch(/<script|<link|<img/)
  })

  test('takes no other method, and says which', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'QUERY']) {
      const refused = await ask(method, path)
      expect(refused.status).toBe(405)
      expect(refused.headers.get('allow')).toMatch(/^GET, HEAD/)
    }
    const options = await ask('OPTIONS', path)
    expect([405, 204]).toContain(options.status)
    expect(options.headers.has('access-control-allow-origin')).toBe(false)
  })
})

test.each(pages)('HEAD of %s is its GET without the body', async (path) => {
  const [head, read] = [await ask('HEAD', path), await ask('GET', path)]
  expect([head.status, head.text]).toEqual([200, ''])
  for (const name of ['content-type', 'content-security-policy', 'cache-control'])
    expect(head.headers.get(name), name).toBe(read.headers.get(name))
})

// A preview of a link must not use up a link that works only once.
test.each([
  '/sign-in/return?state=x',
  '/interaction/x/signed-in',
  '/interaction/x/answer',
  '/confirm/x/next',
  '/device/x',
  '/oauth/authorize',
])('HEAD of %s, which works once or leads on, is refused', async (path) => {
  const refused = await ask('HEAD', path)
  expect([refused.status, refused.headers.get('allow'), refused.text]).toEqual([405, 'GET', ''])
})

test.each(['/account/nothing', '/interaction/', '/interaction/x', '/confirm/x', '/sign-in/nothing'])(
  'a browser that asks for %s, which is not there, gets a page',
  async (path) => {
    const page = await ask('GET', path)
    expect([400, 404]).toContain(page.status)
    expect(page.headers.get('content-type')).toBe(html)
    expect(page.headers.get('cache-control')).toContain('no-store')
  },
)

test('a form beyond 64 KiB is refused, with a page', async () => {
  const page = await ask('POST', '/account/sign-in', [...browser, ...form], `csrf_token=${'x'.repeat(66_000)}`)
  expect([page.status, page.headers.get('content-type')]).toEqual([413, html])
})

test.each(['2026-99-99T99:99:99.999Z', '2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z'])(
  'the history ignores the position %s in its address, which is no moment',
  async (timestamp) => {
    const own = createBrowser()
    await obtainTokens(own, createParty(freshClient('spa')))
    const url = new URL('/account/activity', environment().baseUrl)
    url.searchParams.set('after', `${timestamp}~01980000-0000-7000-8000-000000000001`)
    const { page } = await own.open(url)
    expect([page?.status, page?.url.pathname]).toEqual([200, '/account/activity'])
  },
)
