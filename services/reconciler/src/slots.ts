/** Read slots: how many reads of the provider may be under way at once. */

export type Slots = {
  /** Waits for one slot and takes up to `most` that are free then; answers how many. */
  acquire(most: number): Promise<number>
  release(count: number): void
}

/** For one caller at a time. */
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
