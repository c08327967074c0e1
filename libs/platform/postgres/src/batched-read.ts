/**
 * Answers reads that arrive together with one statement. Under load, the round trip is most of the cost of a small
 * read. A read that arrives alone is not delayed.
 */

import { createBatcher } from './batcher.ts'

export type BatchedReadOptions<Item, Result> = {
  maxItems: number
  /** The maximum number of statements that run at the same time. */
  concurrency: number
  /** Returns the results in the order of the items. */
  read: (items: Item[]) => Promise<readonly Result[]>
}

/** Creates a function that reads one item together with the other waiting items. Equal items are read separately. */
export function createBatchedRead<Item, Result>(options: BatchedReadOptions<Item, Result>) {
  type Entry = { token: string; item: Item }
  let tokens = 0
  const batcher = createBatcher<Entry, { result: Result }>({
    maxItems: options.maxItems,
    concurrency: options.concurrency,
    target: (entry) => entry.token,
    run: async (entries) => {
      const results = await options.read(entries.map((entry) => entry.item))
      return new Map(entries.map((entry, index) => [entry.token, { result: results[index] as Result }]))
    },
  })
  return async (item: Item): Promise<Result> => {
    tokens += 1
    return (await batcher.submit({ token: String(tokens), item })).result
  }
}
