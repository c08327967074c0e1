import { expect, test } from 'vitest'
import { answered, fakeApi } from './fake-api.test-helper.ts'
import { pagesOf } from './pages.ts'

const pages = {
  '': { items: [1, 2], next_cursor: 'b' },
  b: { items: [], next_cursor: 'c' },
  c: { items: [3], next_cursor: null },
}

function list() {
  const asked: (string | undefined)[] = []
  const read = async (cursor?: string) => {
    asked.push(cursor)
    return pages[(cursor ?? '') as keyof typeof pages]
  }
  return { asked, pages: pagesOf(read) }
}

test('iterating goes through all pages, and asks for each when it is needed', async () => {
  const { asked, pages } = list()
  const seen: number[] = []
  for await (const item of pages) {
    seen.push(item)
    if (item === 2) expect(asked).toEqual([undefined])
  }
  expect(seen).toEqual([1, 2, 3])
  expect(asked).toEqual([undefined, 'b', 'c'])
})

test('awaiting is the first page', async () => {
  const { asked, pages } = list()
  expect(await pages).toEqual({ items: [1, 2], next_cursor: 'b' })
  expect(asked).toEqual([undefined])
})

test('a list of the API goes on from the cursor of the application', async () => {
  const { agent, asked } = apiOf()
  expect(await agent.accounts.list({ cursor: 'kept', limit: 1 })).toEqual({ items: ['b'], next_cursor: 'next' })
  expect(asked).toEqual(['GET /v1/accounts?cursor=kept&limit=1'])
})

test('iterating goes on from the cursor of the application, and then from that of each page', async () => {
  const { agent, asked } = apiOf()
  const seen: unknown[] = []
  for await (const item of agent.accounts.list({ cursor: 'kept' })) seen.push(item)
  expect(seen).toEqual(['b', 'c'])
  expect(asked).toEqual(['GET /v1/accounts?cursor=kept', 'GET /v1/accounts?cursor=next'])
})

function apiOf() {
  const api = fakeApi(answered({ items: ['b'], next_cursor: 'next' }), answered({ items: ['c'], next_cursor: null }))
  return { agent: api.agent(), asked: api.asked }
}

test('a list has all methods of a promise of its first page', async () => {
  const gone = pagesOf(() => Promise.reject(new Error('gone')))
  expect(await gone.catch((error: Error) => error.message)).toBe('gone')
  await expect(gone.then((page) => page)).rejects.toThrow('gone')
  const { asked, pages } = list()
  let ended = 0
  expect(await pages.finally(() => (ended += 1))).toEqual({ items: [1, 2], next_cursor: 'b' })
  expect(await pages.catch(() => undefined)).toEqual({ items: [1, 2], next_cursor: 'b' })
  expect([ended, asked]).toEqual([1, [undefined, undefined]])
})
