/** Read slots bound the number of concurrent reads of the provider. */

export type Slots = {
  /** Waits for a free slot, then takes up to `most` free slots. Answers the number taken. */
  acquire(most: number): Promise<number>
  release(count: number): void
}

/** `acquire` must not be called again before its promise settles. */
export function createSlots(count: number): Slots {
  let free = count
  let wake: (() => void) | undefined
  return {
    acquire: async (most) => {
      if (free === 0) await new Promise<void>((resolve) => (wake = resolve))
      const taken = Math.min(free, most)
      free -= taken
      return taken
    },
    release: (released) => {
      free += released
      wake?.()
    },
  }
}
