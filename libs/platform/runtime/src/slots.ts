/** Slots limit the number of concurrent tasks. Waiting tasks get slots in the order in which they asked. */

/** A fixed number of slots, acquired and released one at a time. */
export type Slots = {
  acquire(): Promise<void>
  release(): void
  /**
   * Resolves when a slot is free and no task waits for it. The slot is not acquired, and may be taken a moment later.
   */
  waitForFree(): Promise<void>
  waiting(): number
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  const watching = new Set<() => void>()
  return {
    acquire: async () => {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    release: () => {
      const next = waiting.shift()
      if (next) return next()
      free += 1
      for (const wake of watching) wake()
      watching.clear()
    },
    waitForFree: async () => {
      if (free === 0) await new Promise<void>((resolve) => watching.add(resolve))
    },
    waiting: () => waiting.length,
  }
}
