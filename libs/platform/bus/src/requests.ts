/**
 * Sends requests and hands out their answers. The requests of one turn of the event loop to the routes of one service
 * go as one message, a batch (`request-batches.ts`). All other requests go one by one.
 *
 * Invariant: each request has its own time-out and its own answer, and fails with NoResponders only if it was certainly
 * not received.
 */

import { serviceOfRoute } from './batch-subjects.ts'
import { NoResponders, TimedOut } from './errors.ts'
import type { MessageContext } from './headers.ts'
import { type Inbox, isNoResponders } from './inbox.ts'
import { type Request, settle } from './request.ts'
import { createRequestBatches } from './request-batches.ts'
import type { Writer } from './writer.ts'

/** Sends a request; resolves to its answer. @throws NoResponders, TimedOut, Error if it is too large to send */
export type SendRequest = (
  subject: string,
  data: string | Uint8Array,
  context: MessageContext | undefined,
  timeoutMs: number,
) => Promise<Uint8Array>

type Options = { inbox: Inbox; writer: Writer; onError: (error: unknown) => void }

/** `onError` is called if the answers of a batch cannot be read. */
export function createRequests({ inbox, writer, onError }: Options): SendRequest {
  const sendAlone = (request: Request) => {
    if (request.settled) return
    const { subject, data, context, resolve, reject } = request
    const reply = inbox.open((message) => {
      settle(request)
      if (isNoResponders(message)) reject(new NoResponders())
      else resolve(message.data)
    })
    request.leave = () => inbox.close(reply)
    const onUnsendable = (error: Error) => {
      settle(request)
      reject(error)
    }
    writer.write({ subject, data, reply, context, onUnsendable })
  }
  const batches = createRequestBatches({ inbox, writer, sendAlone, onError })
  return (subject, data, context, timeoutMs) =>
    new Promise((resolve, reject) => {
      const request = { subject, data, context, resolve, reject } as Request
      request.timer = setTimeout(expire, timeoutMs, request)
      const service = serviceOfRoute(subject)
      if (service !== undefined && typeof data === 'string' && context) batches.add(service, request)
      else sendAlone(request)
    })
}

/** After a standstill of the process, timers run before the answers that have arrived are read: those come first here. */
function expire(request: Request): void {
  setImmediate(() => {
    if (request.settled) return
    settle(request)
    request.reject(new TimedOut(request.subject))
  })
}
