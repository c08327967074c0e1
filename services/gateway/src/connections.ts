/**
 * Ends connections from which no further request can be read (malformed bytes, a broken body, a tunnel), and
 * connections whose client does not read its answers.
 *
 * Invariant: a request that has begun is answered before its connection ends, unless its client reads nothing. The last
 * answer has `Connection: close`.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The response that is sent last on each connection, because pipelined requests share a connection. */
const latest = new WeakMap<Duplex, ServerResponse>()
const ending = new WeakSet<Duplex>()

/** Records every response of the server before a handler gets it. */
export function watchResponses(server: Server): void {
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => latest.set(socket, response)
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, note)
}

/** Ends the connection after all requests that have begun are answered. Returns false if no answer is pending. */
export function endAfterAnswers(socket: Duplex): boolean {
  if (ending.has(socket)) return true
  const response = latest.get(socket)
  if (response === undefined || response.writableFinished || response.destroyed) return false
  ending.add(socket)
  if (!response.headersSent) response.shouldKeepAlive = false
  response.once('finish', () => socket.end(() => socket.destroy()))
  return true
}

/** Node's internal count of bytes that the kernel has not accepted yet, in addition to `writableLength`. */
type Handle = { _handle?: { writeQueueSize?: number } | null }

function unsentBytes({ writableLength, _handle: handle }: Socket & Handle): number {
  return writableLength + (handle?.writeQueueSize ?? 0)
}

/**
 * Destroys connections whose client has read nothing for `stallMs` although data waits to be sent. Bytes from the
 * client do not count as reading. The time to prepare an answer does not count as waiting.
 */
export function closeStalled(server: Server, stallMs: number): void {
  const open = new Map<Socket, { bytes: number; since: number }>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, { bytes: 0, since: 0 })
    socket.once('close', () => open.delete(socket))
  })
  const look = () => {
    const now = performance.now()
    for (const [socket, seen] of open) {
      const bytes = unsentBytes(socket)
      if (bytes === 0 || bytes !== seen.bytes) open.set(socket, { bytes, since: now })
      else if (now - seen.since >= stallMs) socket.destroy()
    }
  }
  const looking = setInterval(look, stallMs / 4).unref()
  server.on('close', () => clearInterval(looking))
}
