import { expect, test } from 'vitest'
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
