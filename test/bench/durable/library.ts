/** A library of durable execution, as the benchmark uses it. */

export type Library = { accept(id: string): Promise<void>; stop(): Promise<void> }
