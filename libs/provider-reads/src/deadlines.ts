/**
 * How long whoever asked still waits. All reads with one context share one deadline, which begins with the first of them.
 *
 * Invariant: nobody is answered after their deadline; time is the monotonic clock's, which nothing moves.
 */

/** Left for the answer to travel once a read has failed. */
const answerMs = 50

/** The time was up before the read was answered. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** Reads the monotonic clock once for each context. */
export type Deadlines = {
  /** What is left, in milliseconds; infinite where the context names no time. */
  leftMs: (context: { timeoutMs?: number | undefined }) => number
}

/** The deadlines of a process. */
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

/** What `promise` becomes, unless `leftMs` are over first. @throws DeadlinePassed */
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
