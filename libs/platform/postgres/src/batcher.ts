/**
 * Group commit: all waiting items go into the next multi-row statement. An item that arrives alone is not delayed. While a
 * batch runs, the items after it wait for its end, so batches grow under load by themselves. A batch beside it starts only
 * if it is full, or if its items have waited too long: two half batches cost more than one, and a batch that hangs must
 * not stop the others.
 *
 * Invariants (write protocol, rule 1): an item's result is found by the item's own token. Two items about one target
 * never share a batch. A failed batch is retried item by item, so that one bad row fails alone.
 */

/** The longest that items wait for the end of a running batch before another starts beside it. */
const patienceMs = 50

export type BatcherOptions<Item, Result> = {
  maxItems: number
  /** The maximum number of batches that run at the same time. */
  concurrency: number
  /** Two items of one target go into successive batches. */
  target: (item: Item) => string
  /** Runs one batch, and returns a result for every target. */
  run: (items: Item[]) => Promise<ReadonlyMap<string, Result>>
}

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

export type Batcher<Item, Result> = {
  /** Returns the item's result after its batch has committed. Rejects with the item's own error. */
  submit(item: Item): Promise<Result>
}

/** Creates a batcher; the file's header states its invariants. */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let running = 0
  let scheduled = false
  let patience: NodeJS.Timeout | undefined

  const isFull = () => waiting.length >= options.maxItems

  function schedule(): void {
    if (scheduled || running >= options.concurrency || waiting.length === 0) return
    if (running === 0 || isFull()) {
      scheduled = true
      setImmediate(start)
    } else patience ??= setTimeout(start, patienceMs)
  }

  function start(): void {
    scheduled = false
    clearTimeout(patience)
    patience = undefined
    do startBatch()
    while (isFull() && running < options.concurrency)
    schedule()
  }

  function startBatch(): void {
    if (running >= options.concurrency || waiting.length === 0) return
    running += 1
    void settle(takeBatch()).finally(() => {
      running -= 1
      schedule()
    })
  }

  function takeBatch(): Map<string, Waiting<Item, Result>> {
    const batch = new Map<string, Waiting<Item, Result>>()
    const later: Waiting<Item, Result>[] = []
    for (const entry of waiting) {
      const target = options.target(entry.item)
      if (batch.size < options.maxItems && !batch.has(target)) batch.set(target, entry)
      else later.push(entry)
    }
    waiting = later
    return batch
  }

  async function settle(batch: Map<string, Waiting<Item, Result>>): Promise<void> {
    try {
      deliver(batch, await options.run(Array.from(batch.values(), (entry) => entry.item)))
    } catch (error) {
      if (batch.size === 1) for (const entry of batch.values()) entry.reject(error)
      else for (const [target, entry] of batch) await settle(new Map([[target, entry]]))
    }
  }

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        schedule()
      }),
  }
}

function deliver<Item, Result>(batch: Map<string, Waiting<Item, Result>>, results: ReadonlyMap<string, Result>): void {
  for (const [target, entry] of batch) {
    const result = results.get(target)
    if (result === undefined) entry.reject(new Error('the batch gave no result on an item'))
    else entry.resolve(result)
  }
}
