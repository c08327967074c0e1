/**
 * Deadlines of callers. All reads of one context share one deadline, which starts with the first of them.
 *
 * Invariant: no caller waits beyond its deadline. Time is the monotonic clock, which nothing adjusts.
 */

/** Time reserved for the answer to travel after a read failed. */
const answerMs = 50

/** The deadline passed before the read was answered. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** The deadline of each context, set at its first use. */
export type Deadlines = {
  /** The time left, in milliseconds; infinite if the context has no time-out. */
  leftMs: (context: { timeoutMs?: number | undefined }) => number
}

export function createDeadlines(): Deadlines {
  const ends = new WeakMap<object, number>()
  return {
    leftMs: (context) => {
      if (context.timeoutMs === undefined) return Number.POSITIVE_INFINITY
      const end = ends.get(context) ?? performance.now() + Math.max(1, context.timeoutMs - answerMs)
      ends.set(context, end)
      return Math.max(0, end - performance.now())
    },
  }
}

/** The value of `promise`, unless `leftMs` pass first. @throws DeadlinePassed */
export async function within<Value>(leftMs: number, promise: Promise<Value>): Promise<Value> {
  if (leftMs === Number.POSITIVE_INFINITY) return promise
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed('the caller waits no longer')), leftMs)
  })
  try {
    return await Promise.race([promise, passed])
  } finally {
    clearTimeout(timer)
  }
}
