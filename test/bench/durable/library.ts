/** What a library of durable execution has to do in the benchmark. */

export type Library = { accept(id: string): Promise<void>; stop(): Promise<void> }
