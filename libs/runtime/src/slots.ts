/** Slots: how much may be under way at once. Whoever waits is served in the order of asking. */

/** A number of slots, taken and given back one at a time. */
export type Slots = {
  acquire(): Promise<void>
  release(): void
  /** Resolves as soon as a slot is free that nobody waits for; it is not taken, and may be gone a moment later. */
  waitForFree(): Promise<void>
  /** How many wait for one. */
  waiting(): number
}

/** @param count slots that exist */
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
