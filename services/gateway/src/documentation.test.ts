/** The documentation at `/docs`: the files of a folder and nothing else, their caching, and the answer while there is no folder. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { placeholderBaseUrl } from '@financial-agents/contract/openapi/origin'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseUrl } from './authz.test-helper.ts'
import { expectProblem, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

const files = {
  'index.html': '<!doctype html><title>First</title>',
  '404.html': '<!doctype html><title>No such page</title>',
  'llms.txt': '# All pages',
  'sitemap.xml': `<loc>${placeholderBaseUrl}/docs/</loc>`,
  'how-to/webhooks/index.html': '<!doctype html><title>Webhooks</title>',
  'how-to/webhooks.md': '# Webhooks',
  '_astro/page.AbC123.js': 'export {}',
  'pagefind/pagefind.js': 'export {}',
  'pagefind/fragment/en_0a1b2c3.pf_fragment': 'fragment',
  'pagefind/wasm.en.pagefind': 'wasm',
}

let folder: string
let world: World
let url: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documentation-'))
  await writeFile(join(folder, 'secret.txt'), 'secret')
  world = await startWorld({
    DOCUMENTATION_FOLDER: join(folder, 'site'),
    ADDRESS_RATE_PER_S: '0.001',
    ADDRESS_BURST: '60',
  })
  url = world.gateways[0]?.url as string
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true })
})

const get = (path: string, headers: [string, string][] = []) => sendRaw(url, 'GET', path, headers)

test('until the folder is there a page says so, and points to what there is', async () => {
  const response = await get('/docs/')
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('10')
  expect(response.text).toContain('href="/v1/openapi.json"')
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'site', file)), { recursive: true })
    await writeFile(join(folder, 'site', file), content)
  }
  expect((await get('/docs/')).status).toBe(200)
})

test.each([
  ['/docs/', 'text/html; charset=utf-8', 'First'],
  ['/docs/how-to/webhooks/', 'text/html; charset=utf-8', 'Webhooks'],
  ['/docs/how-to/webhooks.md', 'text/markdown; charset=utf-8', '# Webhooks'],
  ['/docs/llms.txt', 'text/plain; charset=utf-8', '# All pages'],
  ['/docs/sitemap.xml', 'application/xml', `<loc>${baseUrl}/docs/</loc>`],
  ['/docs/_astro/page.AbC123.js', 'text/javascript; charset=utf-8', 'export'],
  ['/docs/pagefind/wasm.en.pagefind', 'application/octet-stream', 'wasm'],
])('%s is %s that nobody can frame', async (path, type, content) => {
  const response = await get(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(response.text).toContain(content)
})

test('a page is revalidated, and a file whose name has a hash is kept for ever', async () => {
  const page = await get('/docs/')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const etag = page.headers.get('etag') as string
  const again = await get('/docs/', [['If-None-Match', `"other", W/${etag}`]])
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await get('/docs/', [['If-None-Match', '"other"']])).status).toBe(200)
  for (const [path, caching] of [
    ['/docs/_astro/page.AbC123.js', 'public, max-age=31536000, immutable'],
    ['/docs/pagefind/fragment/en_0a1b2c3.pf_fragment', 'public, max-age=31536000, immutable'],
    ['/docs/pagefind/pagefind.js', 'no-cache'],
  ] as const)
    expect((await get(path)).headers.get('cache-control'), path).toBe(caching)
})

test.each(['/docs', '/docs/how-to/webhooks'])('%s leads to its page', async (path) => {
  const response = await get(path)
  expect([response.status, response.headers.get('location')]).toEqual([308, `${path}/`])
})

test.each([
  '/docs/nothing/',
  '/docs/how-to/',
  '/docs/../secret.txt',
  '/docs/%2e%2e/secret.txt',
  '/docs/..%2fsecret.txt',
  '/docs//index.html',
  '/docsx',
])('%s is not there', async (path) => {
  expectProblem(await get(path), 'route_not_found', path)
})

test('a browser gets the page of the site for what is not there', async () => {
  const response = await get('/docs/nothing/', [['Accept', 'text/html,*/*;q=0.8']])
  expect(response.status).toBe(404)
  expect(response.text).toContain('No such page')
})

test.each([
  '/docs/',
  '/docs/llms.txt',
  '/docs/how-to/webhooks',
  '/docs/nothing/',
  '/',
  '/problems',
  '/failure-codes/provider_timeout',
])('HEAD of %s answers as GET does, without the body', async (path) => {
  const accept: [string, string][] = [['Accept', 'text/html']]
  const [whole, head] = [await get(path, accept), await sendRaw(url, 'HEAD', path, accept)]
  const headersOf = ({ headers }: typeof whole) =>
    Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'))
  expect([head.status, headersOf(head), head.text]).toEqual([whole.status, headersOf(whole), ''])
})

test('other methods are refused', async () => {
  for (const method of ['POST', 'DELETE']) {
    const response = await sendRaw(url, method, '/docs/how-to/webhooks/', [])
    expect([response.status, response.headers.get('allow')], method).toEqual([405, 'GET, HEAD'])
  }
})

test('the site and the pages of codes do not count for the limit of an address, guessed addresses do', async () => {
  for (let times = 0; times < 50; times += 1)
    for (const path of ['/docs/', '/problems/rate_limited']) expect((await get(path)).status).toBe(200)
  let status = 404
  while (status === 404) status = (await get('/docs/nothing/', [['Accept', 'text/html']])).status
  expect(status).toBe(429)
  expectProblem(await get('/docs/nothing/'), 'rate_limited', '/docs/nothing/')
  expectProblem(await get('/problems/nothing'), 'rate_limited', '/problems/nothing')
  for (const path of ['/docs/', '/docs/llms.txt', '/failure-codes', '/docs/pagefind/pagefind.js'])
    expect((await get(path)).status, path).toBe(200)
})
