import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { browse, makeBrowser } from '../test-client.test-helper.ts'
import { open, readPage, startTestPages, type TestPages } from './pages.test-helper.ts'

const id = '01980000-0000-7000-8000-0000000000dd'
const path = `/approval/return/${id}`
let pages: TestPages

/** Opens a page, and returns everything that the browser gets except the `Date` header. */
async function openUndated(target: string) {
  const page = await open(pages, makeBrowser(), target)
  page.headers.delete('date')
  return page
}

beforeAll(async () => {
  pages = await startTestPages()
})
beforeEach(() => {
  pages.others.returned.length = 0
})
afterAll(() => pages.close())

test('tells operations who is back, and the owner to go on in the application', async () => {
  const page = await open(pages, makeBrowser(), path)
  expect(page).toMatchObject({ status: 200, title: 'You are back from your provider', forms: [] })
  expect(page.text).toContain('we tell it what became of this when it asks')
  expect(pages.others.returned).toEqual([id])
})

test('has no script, loads nothing, is not kept, and sets no cookie', async () => {
  const { headers, text } = await open(pages, makeBrowser(), path)
  expect(text).not.toContain('<script')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.has('set-cookie')).toBe(false)
})

test.each([
  '/approval/return/01980000-0000-7000-8000-00000000ffff',
  '/approval/return/nonsense',
  '/approval/return/%3Cscript%3E',
  `${path}?decision=approved&next=https://evil.example`,
])('says the same at %s', async (target) => {
  expect(await openUndated(target)).toEqual(await openUndated(path))
})

test('asks nobody about what is no id', async () => {
  await open(pages, makeBrowser(), '/approval/return/nonsense')
  expect(pages.others.returned).toEqual([])
})

test('is only read, and there is nothing beside it', async () => {
  const sent = readPage(await browse(pages.server, makeBrowser(), path, { method: 'POST', body: 'decision=approve' }))
  expect([sent.status, sent.headers.get('allow')]).toEqual([405, 'GET'])
  for (const target of ['/approval', '/approval/return/', `${path}/more`])
    expect((await open(pages, makeBrowser(), target)).status).toBe(404)
  expect(pages.others.returned).toEqual([])
})

test('says the same where operations does not answer', async () => {
  const before = await openUndated(path)
  await pages.stopOperations()
  expect(await openUndated(path)).toEqual(before)
})
