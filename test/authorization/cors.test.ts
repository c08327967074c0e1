/**
 * Requests from other origins. A browser application may call the token endpoint from its registered origins, and no
 * other endpoint of the server.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { freshClient } from './clients.ts'
import { environment } from './environment.ts'
import { obtainTokens, type Tokens } from './flow.ts'
import { exchange, type HeaderList, until } from './http.ts'
import { createParty, type Party, paths } from './party.ts'

const allowOrigin = 'access-control-allow-origin'

let spa: Party
let other: Party
let tokens: Tokens
let origin: string
beforeAll(async () => {
  ;[spa, other] = [createParty(freshClient('spa')), createParty(freshClient('spa'))]
  tokens = await obtainTokens(createBrowser(), spa)
  origin = spa.client.origins[0] as string
  // Gateways read the registered origins at their start and every 30 s. These origins were registered after the start.
  const { baseUrl, secondUrl } = environment()
  for (const at of [baseUrl, secondUrl])
    await until(
      () => exchange(`${at}/v1/health`, 'GET', [['origin', origin]]),
      ({ headers }) => headers.has(allowOrigin),
    )
})

const refreshFrom = (from: string, party = spa) =>
  party.refresh(tokens.refresh_token, {}, { headers: [['origin', from]] })
const preflight = (path: string, from: string) => {
  const headers: HeaderList = [
    ['origin', from],
    ['access-control-request-method', 'POST'],
    ['access-control-request-headers', 'dpop,content-type'],
  ]
  return exchange(environment().baseUrl + path, 'OPTIONS', headers)
}

describe('the token endpoint', () => {
  test('may be called by a browser application from its registered origin, with its nonce readable', async () => {
    const answer = await refreshFrom(origin)
    expect(answer.status).toBe(200)
    expect(answer.headers.get(allowOrigin)).toBe(origin)
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('dpop-nonce')
    expect(answer.headers.get('vary')?.toLowerCase()).toContain('origin')
  })

  test('lets it read its refusals too', async () => {
    const answer = await spa.refresh('invented-refresh-token', {}, { headers: [['origin', origin]] })
    expect([answer.status, answer.headers.get(allowOrigin)]).toEqual([400, origin])
  })

  test('answers the preflight of a registered origin', async () => {
    const answer = await preflight(paths.token, origin)
    expect([200, 204]).toContain(answer.status)
    expect(answer.headers.get(allowOrigin)).toBe(origin)
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('dpop')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  })

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:3000'])('tells the origin %s nothing', async (from) => {
    expect((await refreshFrom(from)).headers.has(allowOrigin)).toBe(false)
    expect((await preflight(paths.token, from)).headers.has(allowOrigin)).toBe(false)
  })

  test('tells the origin of another application nothing of this one', async () => {
    expect((await refreshFrom(other.client.origins[0] as string)).headers.has(allowOrigin)).toBe(false)
  })

  test('tells no origin anything of a client that is no browser application', async () => {
    for (const profile of ['web', 'native'] as const) {
      const party = createParty(freshClient(profile))
      const answer = await party.refresh('invented-refresh-token', {}, { headers: [['origin', origin]] })
      expect(answer.headers.has(allowOrigin)).toBe(false)
    }
  })
})

test.each(['/v1/session', '/account', '/device', paths.authorize, '/interaction/abc', '/sign-in/return'])(
  '%s tells other origins nothing',
  async (path) => {
    for (const from of [origin, 'https://evil.example']) {
      const answer = await exchange(environment().baseUrl + path, 'GET', [['origin', from]])
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      if (path !== '/v1/session') expect(answer.headers.has(allowOrigin)).toBe(false)
    }
  },
)
