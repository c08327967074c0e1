/**
 * Reads that arrive together, answered by one statement. Under load most of what a small read costs is its own round
 * trip; a read that comes alone waits for nobody.
 */

import { createBatcher } from './batcher.ts'

/** How reads are gathered. */
export type BatchedReadOptions<Item, Result> = {
  maxItems: number
  /** Statements under way at once. */
  concurrency: number
  /** Answers for each item, in the order of the items. */
  read: (items: Item[]) => Promise<readonly Result[]>
}

/** A function that reads one item together with whatever else is waiting. Equal items are items of their own. */
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
