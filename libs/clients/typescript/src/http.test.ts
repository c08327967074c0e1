/** Another `fetch` than the platform's, and the time that an answer asks for. */

import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { service } from './auth/service.ts'
import { FinancialAgents } from './client.ts'
import { fakeApi, proxied, refused } from './fake-api.test-helper.ts'
import { type Fetch, neverSent } from './http.ts'
import type { RepeatEntry } from './request-log.ts'

const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
const key = { ...((await crypto.subtle.exportKey('jwk', pair.privateKey)) as Record<string, string>), kid: 'one' }
const auth = service({ key, scopes: ['operations:read'] })
const fetch = createRequire(import.meta.url)('node-fetch') as Fetch

/** An API on loopback that wants its nonce in every proof. */
async function startApi(): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer(({ url = '', headers }, response) => {
    const answer = (status: number, body: object, more = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
    const [, claims = ''] = String(headers.dpop ?? '').split('.')
    const hasNonce = Buffer.from(claims, 'base64url').includes('"nonce"')
    const wanted = { 'dpop-nonce': 'one', 'www-authenticate': 'DPoP error="use_dpop_nonce"' }
    if (url.startsWith('/.well-known/')) answer(200, { issuer: baseUrl, token_endpoint: `${baseUrl}/token` })
    else if (!hasNonce) answer(url === '/token' ? 400 : 401, { error: 'use_dpop_nonce' }, wanted)
    else if (url === '/token') answer(200, { access_token: 'token', token_type: 'DPoP', expires_in: 300 })
    else if (url === '/v1/identity') answer(200, { name: 'Rui' })
    else response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  }
  return { baseUrl, close }
}

test('node-fetch 2 works: tokens, nonces, bodies and answers without a body', async () => {
  const { baseUrl, close } = await startApi()
  const agent = FinancialAgents({ baseUrl, clientId: 'app', auth, fetch, retryForMs: 0 })
  expect(await agent.identity.get()).toEqual({ name: 'Rui' })
  await agent.webhooks.delete('one')
  expect((await agent.fetch('/v1/identity')).headers.get('content-type')).toBe('application/json')
  await close()
  const refused = await fetch('http://127.0.0.1:1/', {}).catch((error: unknown) => error)
  expect(neverSent(refused)).toBe(true)
})

test('a fetch that is no function, and a baseUrl that is no plain origin, are refused, and no credential is repeated', () => {
  const made = (more: object) => () =>
    FinancialAgents({ baseUrl: 'https://api.example', clientId: 'app', auth, ...more })
  const refusal = (message: RegExp) =>
    expect.objectContaining({ code: 'invalid_use', message: expect.stringMatching(message) })
  expect(made({ fetch: { fetch } })).toThrow(refusal(/^fetch is not a function/))
  for (const path of ['/v1', '?a=b', '#part', '//'])
    expect(made({ baseUrl: `https://api.example${path}` })).toThrow(refusal(/origin alone/))
  for (const baseUrl of [
    'https://key:swordfish@api.example',
    'https://swordfish@api.example',
    'https://:swordfish@api.example/v1',
    'http://a:swordfish@api.example',
  ]) {
    expect(made({ baseUrl })).toThrow(refusal(/credentials/))
    expect(made({ baseUrl })).not.toThrow(/swordfish/)
  }
})

test.each([
  ['seconds', '2', 2_000],
  // A slow machine may need half of this time to begin.
  ['an HTTP date', new Date(Date.now() + 59_000).toUTCString(), 30_000],
])('a read is repeated never before Retry-After: %s', async (_, retryAfter, leastMs) => {
  for (const answer of [
    proxied(503, { 'retry-after': retryAfter }),
    refused('rate_limited', 429, { retryable: true }, { 'retry-after': retryAfter }),
  ]) {
    const waits: number[] = []
    const stop = new AbortController()
    const onRepeat = ({ afterMs }: RepeatEntry) => {
      waits.push(afterMs)
      stop.abort(new Error('enough'))
    }
    const reading = fakeApi(answer).agent({ retryForMs: 60_000, onRepeat }).mandates.get('m', { signal: stop.signal })
    await expect(reading).rejects.toThrow('enough')
    expect(waits).toEqual([expect.any(Number)])
    expect(waits[0]).toBeGreaterThanOrEqual(leastMs)
  }
})
