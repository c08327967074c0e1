/** Keys behind an address, which the library fetches with our fetch from a real https server. */

import { generateKeyPairSync } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { Provider } from 'oidc-provider'
import { afterEach, expect, test } from 'vitest'
import { createGuardedFetch } from './guarded-fetch.ts'
import { type HttpsServer, startHttpsServer } from './https-server.test-helper.ts'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] })
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

/** The key store of a client with keys at `url`, made as the library makes it. */
async function keyStoreOf(url: string, anyAddress: boolean) {
  const provider = new Provider('https://api.example.test', {
    clientAuthMethods: ['private_key_jwt'],
    enabledJWA: { clientAuthSigningAlgValues: ['ES256'] },
    features: { devInteractions: { enabled: false }, clientCredentials: { enabled: true } },
    fetch: createGuardedFetch({ anyAddress }) as typeof fetch,
    clients: [
      {
        client_id: 'agent',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks_uri: url,
      },
    ],
  })
  const client = (await provider.Client.find('agent')) as unknown as {
    asymmetricKeyStore: { refresh: () => Promise<void>; selectForVerify: (about: object) => { kid: string }[] }
  }
  const store = client.asymmetricKeyStore
  return { refresh: () => store.refresh(), kids: () => store.selectForVerify({ alg: 'ES256' }).map((key) => key.kid) }
}

/** Returns the refusal with its causes, as the log would show it. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const words: string[] = []
  try {
    await work
  } catch (thrown) {
    for (let error = thrown as Error | undefined; error; error = error.cause as Error | undefined)
      words.push(`${error.message} ${(error as { error_description?: string }).error_description ?? ''}`)
  }
  return words.join(' < ')
}

test('keys of an https address are taken, and asked for once while they are fresh', async () => {
  await serve((_request, response) => response.end(keys))
  const store = await keyStoreOf(`${server.url}/keys`, true)
  await store.refresh()
  await store.refresh()
  expect(store.kids()).toEqual(['one'])
  expect(asked).toBe(1)
})

test('an address of a private network is refused before a request is sent', async () => {
  await serve((_request, response) => response.end(keys))
  const store = await keyStoreOf(`${server.url}/keys`, false)
  expect(await refusal(store.refresh())).toContain('special-use')
  expect(asked).toBe(0)
})

test.each<[string, RequestListener, string]>([
  ['a redirect', (_request, response) => response.writeHead(302, { location: '/other' }).end(), 'redirect'],
  ['more than 64 KiB', (_request, response) => response.end(' '.repeat(65_537)), 'larger than 64 KiB'],
  ['an error', (_request, response) => response.writeHead(404).end('{}'), '404'],
  ['no key set', (_request, response) => response.end('[]'), 'is invalid'],
])('%s gives no key', async (_name, listener, why) => {
  await serve(listener)
  const store = await keyStoreOf(`${server.url}/keys`, true)
  expect(await refusal(store.refresh())).toContain(why)
  expect(store.kids()).toEqual([])
})

test('plain http is refused, whatever is registered', async () => {
  await serve((_request, response) => response.end(keys))
  await expect(createGuardedFetch({ anyAddress: true })('http://127.0.0.1/keys', {})).rejects.toThrow('https alone')
})

test('what the answer says about caching is not passed on', async () => {
  await serve((_request, response) => response.writeHead(200, { 'cache-control': 'max-age=31536000' }).end(keys))
  const answer = await createGuardedFetch({ anyAddress: true })(`${server.url}/keys`, {})
  expect([...answer.headers.keys()]).toEqual(['content-type'])
  expect(await answer.text()).toBe(keys)
})
