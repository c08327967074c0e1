/**
 * The batches whose further answers the requester has yet to collect. A batch is forgotten when all its answers are
 * sent, or when the time-out of its last request is over: a requester that has ended collects nothing.
 */

import type { BatchedAnswer } from './batch-frames.ts'

/** A batch whose answers are not all sent. */
export type Batch = {
  readonly id: string
  readonly subjects: readonly string[]
  /** The longest time-out of the requests. Afterwards nobody collects. */
  readonly endsAfterMs: number
  /** The subject for the next answers; undefined until the requester asks for them. */
  replyTo: string | undefined
  /** True if an answer will be sent at the end of this turn. */
  answering: boolean
  /** The number of requests without an answer. */
  open: number
  ready: BatchedAnswer<string>[]
}

const collectWithinMs = 1_000

export type Uncollected = {
  /** A new id, unique in this process. */
  nextId(): string
  keep(batch: Batch): void
  forget(batch: Batch): void
  find(id: string): Batch | undefined
  /** Resolves when no batch is left, or after a second. */
  emptied(): Promise<void>
}

export function createUncollected(): Uncollected {
  const batches = new Map<string, { batch: Batch; timer: NodeJS.Timeout }>()
  let counter = 0
  let onEmpty = () => {}
  const forget = ({ id }: Batch) => {
    clearTimeout(batches.get(id)?.timer)
    batches.delete(id)
    if (batches.size === 0) onEmpty()
  }
  return {
    nextId: () => {
      counter += 1
      return counter.toString(36)
    },
    keep: (batch) => {
      if (!batches.has(batch.id))
        batches.set(batch.id, { batch, timer: setTimeout(forget, batch.endsAfterMs, batch).unref() })
    },
    forget,
    find: (id) => batches.get(id)?.batch,
    emptied: async () => {
      if (batches.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, collectWithinMs)
      onEmpty = resolve
      await promise
      clearTimeout(timer)
    },
  }
}
