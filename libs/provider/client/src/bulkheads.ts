/**
 * Bounds the calls of each key: how many run at once, and how many may wait.
 *
 * Invariant: calls of one key never take a place of another key. No call waits beyond its time, and a call that leaves the
 * queue or is turned away has begun nothing.
 */

/** A call was not begun, for the reason in the message. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun'
}

/** Places by key. */
export type Bulkheads = {
  /**
   * Runs `call` as soon as its key has a place.
   * @param waitMs the longest wait for a place
   * @throws NotBegun if the queue is full or the time is up
   */
  run<Result>(key: string, waitMs: number, call: () => Promise<Result>): Promise<Result>
}

type Waiting = { begin(): void }
type Bulkhead = { running: number; waiting: Set<Waiting> }

/** @param bounds for each key: the most calls that run at once, and the most that wait */
export function createBulkheads(bounds: { running: number; waiting: number }): Bulkheads {
  const bulkheads = new Map<string, Bulkhead>()

  function leave(key: string, bulkhead: Bulkhead): void {
    const [next] = bulkhead.waiting
    if (next) return next.begin()
    bulkhead.running -= 1
    if (bulkhead.running === 0) bulkheads.delete(key)
  }

  async function enter(key: string, waitMs: number): Promise<Bulkhead> {
    const bulkhead = bulkheads.get(key) ?? { running: 0, waiting: new Set() }
    bulkheads.set(key, bulkhead)
    if (bulkhead.running < bounds.running) bulkhead.running += 1
    else if (bulkhead.waiting.size < bounds.waiting) await waitForPlace(bulkhead, waitMs)
    else throw new NotBegun('too many calls of one key wait already')
    return bulkhead
  }

  return {
    run: async (key, waitMs, call) => {
      const bulkhead = await enter(key, waitMs)
      try {
        return await call()
      } finally {
        leave(key, bulkhead)
      }
    },
  }
}

/** Resolves with the place of a call that ended: `running` does not change. */
function waitForPlace({ waiting }: Bulkhead, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const one: Waiting = {
      begin: () => {
        clearTimeout(timer)
        waiting.delete(one)
        resolve()
      },
    }
    const timer = setTimeout(() => {
      waiting.delete(one)
      reject(new NotBegun('the time was up before a place was free'))
    }, waitMs)
    waiting.add(one)
  })
}
