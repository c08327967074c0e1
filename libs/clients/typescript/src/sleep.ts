/** Waiting that a signal can end, and the pauses between repetitions. */

/** The longest time of one timer, in milliseconds. A platform's timer with a longer time ends at once. */
export const longestTimerMs = 2 ** 31 - 1

/** Acts once after this time, also if it is longer than one timer can be; never after `Infinity`. Returns what prevents it. */
export function after(ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const arm = (leftMs: number) => {
    timer = setTimeout(
      () => (leftMs > longestTimerMs ? arm(leftMs - longestTimerMs) : act()),
      Math.min(leftMs, longestTimerMs),
    )
  }
  arm(ms)
  return () => clearTimeout(timer)
}

const acts = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Acts once when the signal is aborted. Returns what prevents it. All acts share one listener, because platforms warn of
 * a leak if a signal has many.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const waiting = acts.get(signal) ?? new Set()
  if (!acts.has(signal)) {
    acts.set(signal, waiting)
    signal.addEventListener('abort', () => waiting.forEach((one) => one()), { once: true })
  }
  const mine = () => act()
  waiting.add(mine)
  return () => void waiting.delete(mine)
}

/** Waits. @throws the signal's reason as soon as it is aborted */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let leave = () => {}
    const end = () => {
      cancel()
      leave()
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
    const cancel = after(signal?.aborted ? 0 : ms, end)
    if (signal) leave = onAbort(signal, end)
  })
}

/** The promise, or the signal's reason if it is aborted first. The work behind the promise goes on. */
export function abortable<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    promise.then(resolve, reject).finally(onAbort(signal, abort))
  })
}

/** The pause before the repetition after `attempt` (from 0): exponential up to 5 s, half of it random. */
export function backoffMs(attempt: number): number {
  return Math.min(5_000, 200 * 2 ** attempt) * (0.5 + Math.random() / 2)
}
