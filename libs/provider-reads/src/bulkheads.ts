/**
 * Bounds what is under way at once for each key, and what may wait for it.
 *
 * Invariant: one key's calls take no place of another's; nobody waits beyond the time that they have, and whoever leaves the
 * queue or is turned away has begun nothing.
 */

/** Why a call was not begun. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun'
}

/** Places by key. */
export type Bulkheads = {
  /**
   * Runs `call` as soon as its key has a place.
   * @param waitMs how long it may wait for one
   * @throws NotBegun where the queue is full or the time is up
   */
  run<Result>(key: string, waitMs: number, call: () => Promise<Result>): Promise<Result>
}

type Waiting = { begin(): void }
type Bulkhead = { running: number; waiting: Set<Waiting> }

/** @param bounds for each key: how many run at once, and how many wait at most */
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

/** Resolves with the place of one that left: `running` stays as it is. */
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
