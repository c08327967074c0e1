/** Keys behind an address, which are fetched with the guarded fetch from a real https server. */

import { generateKeyPairSync } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { Provider } from 'oidc-provider'
import { afterEach, expect, test } from 'vitest'
import { fetchKeys } from './fetch-keys.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { type HttpsServer, startHttpsServer } from './https-server.test-helper.ts'

const pair = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve })
const publicJwk = pair().publicKey.export({ format: 'jwk' })
const keys = JSON.stringify({ keys: [{ ...publicJwk, kid: 'one' }] })
let server: HttpsServer
let asked = 0
afterEach(() => server.close())

async function serve(listener: RequestListener): Promise<void> {
  asked = 0
  server = await startHttpsServer((request, response) => {
    asked += 1
    listener(request, response)
  })
}

async function fetchKids({ anyAddress = true } = {}): Promise<(string | undefined)[]> {
  const provider = new Provider('https://api.example.test', {
    features: { devInteractions: { enabled: false } },
    fetch: createGuardedFetch({ anyAddress }) as typeof fetch,
  })
  return (await fetchKeys(provider, `${server.url}/keys`)).map(({ kid }) => kid)
}

/** Returns the refusal with its causes, as the log would show it. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const words: string[] = []
  try {
    await work
  } catch (thrown) {
    for (let error = thrown as Error | undefined; error; error = error.cause as Error | undefined)
      words.push(error.message)
  }
  return words.join(' < ')
}

test('keys of an https address are taken', async () => {
  await serve((_request, response) => response.end(keys))
  expect(await fetchKids()).toEqual(['one'])
  expect(asked).toBe(1)
})

test('of a set, only the public keys that verify ES256 signatures are taken', async () => {
  const set = [
    { ...publicJwk, kid: 'with members of others', x5c: ['MIIB'], exp: 1, key_ops: ['sign', 'verify'] },
    { ...publicJwk },
    { ...publicJwk, kid: 'for encryption', use: 'enc' },
    { ...publicJwk, kid: 'of another algorithm', alg: 'ECDH-ES' },
    { ...publicJwk, kid: 'that signs alone', key_ops: ['sign'] },
    { ...publicJwk, kid: 'off the curve', y: publicJwk.x },
    { ...publicJwk, kid: 7 },
    { ...pair().privateKey.export({ format: 'jwk' }), kid: 'private' },
    { ...pair('P-384').publicKey.export({ format: 'jwk' }), kid: 'of another curve' },
    { kty: 'RSA', n: 'x', e: 'AQAB', kid: 'of another kind' },
    { kty: 'oct', k: 'c2VjcmV0', kid: 'symmetric' },
    null,
    'text',
  ]
  await serve((_request, response) => response.end(JSON.stringify({ keys: set, others: 1 })))
  expect(await fetchKids()).toEqual(['with members of others', undefined])
})

test('an empty set is a set: its client has no key', async () => {
  await serve((_request, response) => response.end('{"keys":[]}'))
  expect(await fetchKids()).toEqual([])
})

test('an address of a private network is refused before a request is sent', async () => {
  await serve((_request, response) => response.end(keys))
  expect(await refusal(fetchKids({ anyAddress: false }))).toContain('special-use')
  expect(asked).toBe(0)
})

test.each<[string, RequestListener, string]>([
  ['a redirect', (_request, response) => response.writeHead(302, { location: '/other' }).end(keys), 'redirect'],
  ['a permanent redirect', (_request, response) => response.writeHead(308, { location: '/keys' }).end(), 'redirect'],
  ['more than 64 KiB', (_request, response) => response.end(`${keys}${' '.repeat(65_537)}`), 'larger than 64 KiB'],
  ['an address that is gone', (_request, response) => response.writeHead(404).end(keys), '404'],
  ['an error', (_request, response) => response.writeHead(500).end(keys), '500'],
  ['another success', (_request, response) => response.writeHead(202).end(keys), '202'],
  ['a broken connection', (request) => request.socket.destroy(), 'fetch failed'],
  [
    'a body that breaks off',
    (_request, response) => response.writeHead(200, { 'content-length': 999 }).write(keys, () => response.destroy()),
    'terminated',
  ],
  ['a page', (_request, response) => response.end('<!doctype html>secret'), 'the answer is not JSON'],
  ['nothing', (_request, response) => response.end(), 'the answer is not JSON'],
  ...['[]', 'null', '"keys"', '{}', '{"keys":{}}', '{"keys":null}'].map((body): [string, RequestListener, string] => [
    body,
    (_request, response) => response.end(body),
    'not a JWK Set',
  ]),
])('%s is no answer, and the refusal does not quote it', async (_name, listener, why) => {
  await serve(listener)
  const words = await refusal(fetchKids())
  expect(words).toContain(why)
  expect(words).not.toContain('secret')
})

test('plain http is refused, whatever is registered', async () => {
  await serve((_request, response) => response.end(keys))
  await expect(createGuardedFetch({ anyAddress: true })('http://127.0.0.1/keys', {})).rejects.toThrow('https alone')
})

test('what the answer says about caching is not passed on', async () => {
  await serve((_request, response) => response.writeHead(200, { 'cache-control': 'max-age=31536000' }).end(keys))
  const answer = await createGuardedFetch({ anyAddress: true })(`${server.url}/keys`, {})
  expect([...answer.headers.keys()]).toEqual([])
  expect(await answer.text()).toBe(keys)
})
