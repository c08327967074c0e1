/** Mutations that the script `hold` keeps between their arrival and their execution, as a queue inside a provider may. */

export type HeldSubmissions = {
  /** Resolves when the mutation is released. */
  keep(clientReference: string): Promise<void>
  /** Releases the mutations of a reference, and returns their number. */
  release(clientReference: string): number
}

export function createHeld(): HeldSubmissions {
  const held = new Map<string, (() => void)[]>()
  return {
    keep: (clientReference) =>
      new Promise((resolve) => held.set(clientReference, [...(held.get(clientReference) ?? []), resolve])),
    release(clientReference) {
      const waiting = held.get(clientReference) ?? []
      held.delete(clientReference)
      for (const go of waiting) go()
      return waiting.length
    },
  }
}
