import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBatcher } from './batcher.ts'

type Item = { id: string; value: number }

function recording(fail: (items: Item[]) => boolean = () => false) {
  const batches: Item[][] = []
  let running = 0
  let mostRunning = 0
  const batcher = createBatcher<Item, number>({
    maxItems: 3,
    concurrency: 1,
    target: (item) => item.id,
    run: async (items) => {
      batches.push(items)
      running += 1
      mostRunning = Math.max(mostRunning, running)
      await new Promise(setImmediate)
      running -= 1
      if (fail(items)) throw new Error('bad row')
      return new Map(items.map((item) => [item.id, item.value * 2]))
    },
  })
  return { batches, batcher, most: () => mostRunning }
}

test('items that arrive together share a batch and each gets its own result', async () => {
  const { batches, batcher } = recording()
  const results = await Promise.all(['a', 'b', 'c', 'd'].map((id, index) => batcher.submit({ id, value: index })))
  expect(results).toEqual([0, 2, 4, 6])
  expect(batches.map((items) => items.length)).toEqual([3, 1])
})

test('two items about one target go into successive batches, in order', async () => {
  const { batches, batcher } = recording()
  const results = await Promise.all([1, 2, 3].map((value) => batcher.submit({ id: 'same', value })))
  expect(results).toEqual([2, 4, 6])
  expect(batches.map((items) => items.map((item) => item.value))).toEqual([[1], [2], [3]])
})

test('one bad row fails alone', async () => {
  const { batcher } = recording((items) => items.some((item) => item.id === 'bad'))
  const results = await Promise.allSettled(['a', 'bad', 'c'].map((id) => batcher.submit({ id, value: 1 })))
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a batch that failed is retried one item after another, within the concurrency that was given', async () => {
  const { batches, batcher, most } = recording((items) => items.length > 1)
  const results = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => batcher.submit({ id, value: 1 })))
  expect(results).toEqual([2, 2, 2, 2, 2])
  expect(batches.map((items) => items.map(({ id }) => id).join(''))).toEqual(['abc', 'a', 'b', 'c', 'de', 'd', 'e'])
  expect(most()).toBe(1)
})

describe('beside a batch that runs', () => {
  function hanging() {
    const batches: string[] = []
    const ends: (() => void)[] = []
    const batcher = createBatcher<Item, number>({
      maxItems: 3,
      concurrency: 2,
      target: (item) => item.id,
      run: async (items) => {
        batches.push(items.map(({ id }) => id).join(''))
        await new Promise<void>((resolve) => ends.push(resolve))
        return new Map(items.map(({ id, value }) => [id, value]))
      },
    })
    return { batches, end: () => ends.shift()?.(), submit: (id: string) => batcher.submit({ id, value: 1 }) }
  }

  test('items wait for its end, and then share a batch', async () => {
    // The patience does not end by itself.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { batches, end, submit } = hanging()
    const first = submit('a')
    await new Promise(setImmediate)
    const rest = [submit('b'), submit('c')]
    await new Promise(setImmediate)
    expect(batches).toEqual(['a'])
    end()
    await first
    await vi.waitFor(() => expect(batches).toEqual(['a', 'bc']))
    end()
    expect(await Promise.all(rest)).toEqual([1, 1])
  })

  test('a full batch starts at once, and an item whose batch hangs stops nobody', async () => {
    const { batches, end, submit } = hanging()
    const all = ['a', 'b', 'c'].map(submit)
    await new Promise(setImmediate)
    all.push(...['d', 'e', 'f'].map(submit))
    await new Promise(setImmediate)
    expect(batches).toEqual(['abc', 'def'])
    end()
    await all[0]
    all.push(submit('g'))
    await vi.waitFor(() => expect(batches).toEqual(['abc', 'def', 'g']))
    end()
    end()
    await Promise.all(all)
  })
})

test('an item without a result is a failure, not a hang', async () => {
  const batcher = createBatcher<Item, number>({
    maxItems: 3,
    concurrency: 1,
    target: (item) => item.id,
    run: async () => new Map(),
  })
  await expect(batcher.submit({ id: 'a', value: 1 })).rejects.toThrow('no result')
})
