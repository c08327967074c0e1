/** The options of calls, and the operation that writes return. */

import type { Operation } from './generated/types.ts'
import type { Outcome, WaitOptions } from './outcome.ts'
import type { ResponseEntry } from './request-log.ts'

/** Options of every call. */
export type CallOptions = {
  /** Ends the call. It rejects with the signal's reason; what was sent stays sent. */
  signal?: AbortSignal
  /**
   * The time for which a request that may be repeated is repeated, in milliseconds. By default the client's own value
   * (60,000).
   */
  retryForMs?: number
  /**
   * The longest time of the whole call, in milliseconds: tokens, attempts, repetitions, and what the call waits for. By default only
   * `retryForMs` and the time-out of each attempt bound the call. 0 waits neither for the owner nor for an outcome.
   */
  timeoutMs?: number
  /** Receives each answer to this call, before its body is read, beside the client's own `onResponse`. */
  onResponse?: (entry: ResponseEntry) => void
}

/** Options of a durable write. */
export type WriteOptions = CallOptions & {
  /**
   * Your name for this one write, for example `rent-2026-11`: unique per method, 1 to 512 characters. Repeat the write with the
   * same intent and body after any failure or crash: it is the same write. A new intent is a new write.
   */
  intent: string
  /**
   * Facts of your own about the write, for example an order number. They stay in the client's store, and are never sent:
   * `agent.metadata` finds them by the operation. They may change without another intent.
   */
  metadata?: Metadata
}

/** Facts of the application about a write. */
export type Metadata = Readonly<Record<string, string>>

/** An operation with functions that follow it. Its data are those of the answer; `refresh` reads them again. */
export type TrackedOperation = Operation & {
  /**
   * Waits for the outcome. A time-out is an outcome of its own, never a failure.
   *
   * @throws ClientError `wait_failed`: the operation goes on
   */
  wait(options?: WaitOptions): Promise<Outcome>
  /** Reads the operation again. */
  refresh(options?: CallOptions): Promise<TrackedOperation>
}
