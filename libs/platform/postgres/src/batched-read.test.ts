import { expect, test } from 'vitest'
import { createBatchedRead } from './batched-read.ts'

test('reads that arrive together share a statement, and each gets its own answer, equal ones too', async () => {
  const batches: number[][] = []
  const read = createBatchedRead<number, string | undefined>({
    maxItems: 8,
    concurrency: 1,
    read: async (items) => {
      batches.push(items)
      return items.map((item) => (item === 0 ? undefined : `row ${item}`))
    },
  })
  expect(await Promise.all([1, 0, 1, 2].map(read))).toEqual(['row 1', undefined, 'row 1', 'row 2'])
  expect(batches).toEqual([[1, 0, 1, 2]])
})

test('a read that fails alone rejects alone', async () => {
  const read = createBatchedRead<number, number>({
    maxItems: 8,
    concurrency: 1,
    read: async (items) => {
      if (items.includes(3)) throw new Error('bad')
      return items
    },
  })
  const results = await Promise.allSettled([1, 3, 2].map(read))
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
