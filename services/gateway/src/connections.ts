/**
 * The end of a connection: one from which no further request can be read (bytes that are no request, a body that breaks, a
 * tunnel), and one whose client does not take its answers.
 *
 * Invariant: a request that has begun is answered before its connection ends, unless its client takes nothing. The last answer says
 * `Connection: close`.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The response that leaves last on each connection: requests may share one without waiting for each other. */
const latest = new WeakMap<Duplex, ServerResponse>()
const ending = new WeakSet<Duplex>()

/** Notes every response of the server, before it is given to whoever answers. */
export function watchResponses(server: Server): void {
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => latest.set(socket, response)
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, note)
}

/** Ends it once every request that has begun is answered. False where nothing is left to answer. */
export function endAfterAnswers(socket: Duplex): boolean {
  if (ending.has(socket)) return true
  const response = latest.get(socket)
  if (response === undefined || response.writableFinished || response.destroyed) return false
  ending.add(socket)
  if (!response.headersSent) response.shouldKeepAlive = false
  response.once('finish', () => socket.end(() => socket.destroy()))
  return true
}

/** Node's own count of what the kernel has not taken yet, beside what waits to be given to it. */
type Handle = { _handle?: { writeQueueSize?: number } | null }

function unsentBytes({ writableLength, _handle: handle }: Socket & Handle): number {
  return writableLength + (handle?.writeQueueSize ?? 0)
}

/**
 * Destroys connections of which the client has taken nothing for `stallMs` although something waits to be sent. Bytes that it sends
 * itself do not count; neither does the time in which an answer is made.
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
