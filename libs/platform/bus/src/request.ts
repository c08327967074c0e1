/** A request that waits for its answer, alone or in a batch. */

import type { MessageContext } from './headers.ts'

/** A request without an answer. */
export type Request = {
  readonly subject: string
  readonly data: string | Uint8Array
  readonly context: MessageContext | undefined
  readonly resolve: (data: Uint8Array) => void
  readonly reject: (error: Error) => void
  timer: NodeJS.Timeout
  /** Gives up the place in which the request waits for its answer. Absent until it is sent. */
  leave?: () => void
  settled?: true
}

/** Ends the wait of a request. */
export function settle(request: Request): void {
  request.settled = true
  clearTimeout(request.timer)
  request.leave?.()
}
