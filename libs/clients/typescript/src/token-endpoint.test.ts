/** An answer of something between the client and the authorization server is no result about a grant, a client or a sign-in. */

import { describe, expect, test } from 'vitest'
import { device } from './auth/device.ts'
import { answered, fakeApi, tokenOf } from './fake-api.test-helper.ts'

describe('the token endpoint', () => {
  const list = answered({ items: [], next_cursor: null })
  const json = (given: object, status: number, type = 'application/json') =>
    new Response(JSON.stringify(given), { status, headers: { 'content-type': type } })
  const answers: [string, () => Response][] = [
    ['a page with 400', () => new Response('<html></html>', { status: 400, headers: { 'content-type': 'text/html' } })],
    ['a page with 401', () => new Response('no', { status: 401 })],
    ['a challenge', () => new Response('no', { status: 401, headers: { 'www-authenticate': 'Basic realm="proxy"' } })],
    ['JSON with 401', () => json({ message: 'Unauthorized' }, 401)],
    ['a refusal with 403', () => json({ error: 'invalid_grant' }, 403)],
    ['a refusal that is a page', () => json({ error: 'invalid_grant' }, 400, 'text/html')],
    ['a refusal of the client with 403', () => json({ error: 'invalid_client' }, 403)],
    ['other JSON', () => json({ status: 'ok' }, 200)],
    ['nothing', () => new Response(null, { status: 204 })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://portal.example/' } })],
    ['a page with 503', () => new Response('busy', { status: 503 })],
    ['a page with 429', () => new Response('busy', { status: 429 })],
  ]

  test('that is a portal does not end a sign-in', async () => {
    const started = {
      device_code: 'd',
      user_code: 'u',
      verification_uri: 'https://api.example/d',
      expires_in: 600,
      interval: 0.001,
    }
    const left = [...answers]
    const api = fakeApi(list)
    api.token = () => left.shift()?.[1]() ?? tokenOf('new')
    const { fetch } = api
    const agent = api.agent({
      auth: device({ scopes: [] }),
      onOwnerNeeded: () => {},
      fetch: async (url, init) => (url.endsWith('/device') ? Response.json(started) : fetch(url, init)),
    })
    expect(await agent.signIn()).toMatchObject({ status: 'signed_in' })
    expect(left).toEqual([])
  })

  test.each(answers)(
    'for pushed requests that answers with %s is no result about the client either',
    async (_, answer) => {
      const { web } = await import('./auth/web.ts')
      const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
      const metadata = {
        issuer: 'https://api.example',
        authorization_endpoint: 'https://api.example/authorize',
        pushed_authorization_request_endpoint: 'https://api.example/par',
      }
      const agent = fakeApi().agent({
        auth: web({ key: { key: pair.privateKey, kid: 'one' }, scopes: [], redirectUri: 'https://app.example/back' }),
        fetch: async (url) => (url.endsWith('/par') ? answer() : Response.json(metadata)),
      })
      await expect(agent.signIn()).rejects.toMatchObject({
        name: 'ClientError',
        code: expect.stringMatching(/^(?:unreachable|response_invalid)$/),
      })
    },
  )

  test('for devices that answers with other JSON begins no sign-in', async () => {
    const api = fakeApi()
    const { fetch } = api
    const agent = api.agent({
      auth: device({ scopes: [] }),
      onOwnerNeeded: () => {},
      fetch: async (url, init) => (url.endsWith('/device') ? Response.json({ status: 'ok' }) : fetch(url, init)),
    })
    await expect(agent.signIn()).rejects.toMatchObject({ code: 'response_invalid' })
  })
})
