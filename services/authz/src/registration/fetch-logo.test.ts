/** Logos from a real https server, by the library's guarded fetch: a picture by its content, and nothing from a private address. */

import type { RequestListener } from 'node:http'
import { Provider } from 'oidc-provider'
import { afterEach, expect, test } from 'vitest'
import { fetchLogo } from './fetch-logo.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { type HttpsServer, startHttpsServer } from './https-server.test-helper.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle r="4"/></svg>'
let server: HttpsServer
let asked = 0
afterEach(() => server.close())

async function ask(listener: RequestListener, { anyAddress = true, scheme = 'https' } = {}) {
  asked = 0
  server = await startHttpsServer((request, response) => {
    asked += 1
    listener(request, response)
  })
  const provider = new Provider('https://api.example.test', {
    fetch: createGuardedFetch({ anyAddress }) as typeof fetch,
    features: { devInteractions: { enabled: false } },
  })
  return fetchLogo(provider, `${server.url.replace('https', scheme)}/logo`).catch((thrown: Error) => {
    const words: string[] = []
    for (let error: Error | undefined = thrown; error; error = error.cause as Error | undefined)
      words.push(error.message)
    return words.join(' < ')
  })
}

test('a picture is what its content says, whatever the server claims', async () => {
  const found = await ask((_request, response) => response.setHeader('content-type', 'text/html').end(svg))
  expect(found).toEqual({ type: 'image/svg+xml', bytes: Buffer.from(svg) })
  expect(asked).toBe(1)
})

test.each<[string, RequestListener, string]>([
  ['a page', (_request, response) => response.setHeader('content-type', 'image/png').end('<html>'), 'neither'],
  ['an error', (_request, response) => response.writeHead(500).end(svg), 'status 500'],
  ['a redirect', (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(), 'redirect'],
  ['more than 64 KiB', (_request, response) => response.end(svg + ' '.repeat(65_536)), 'larger than 64 KiB'],
  ['a picture with a script', (_request, response) => response.end('<svg><script>1</script></svg>'), 'script'],
])('%s is no logo', async (_name, listener, why) => {
  expect(await ask(listener)).toContain(why)
})

test('an address of a private network is refused before a request is sent', async () => {
  expect(await ask((_request, response) => response.end(svg), { anyAddress: false })).toContain('special-use')
  expect(asked).toBe(0)
})

test('plain http is refused', async () => {
  expect(await ask((_request, response) => response.end(svg), { scheme: 'http' })).toContain('https alone')
  expect(asked).toBe(0)
})
