/**
 * The end of the HTTP server. A connection that a server closes while it is idle may carry a request at that very moment,
 * and a client must not repeat a write whose connection broke. So clients are sent away first: from the stop on every answer
 * says `Connection: close` (the responder), and only what stayed idle all the while is closed.
 *
 * Invariant: a request that has arrived is answered; one that never arrives whole does not hold up the stop.
 */

import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50

/** Resolves once no connection is left, or after `limitMs`. New ones are still taken: not everybody knows of the stop yet. */
export async function drainConnections(server: Server, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs
  while (performance.now() < until && (await countConnections(server)) > 0) await delay(lookEveryMs)
}

/** Takes no new connections, and resolves when the last is closed: idle ones now, those with a request after its answer. */
export async function closeServer(app: FastifyInstance, limitMs: number): Promise<void> {
  // A connection that falls idle after the close began would otherwise be waited for until its keep-alive ends.
  const closing = setInterval(() => app.server.closeIdleConnections(), lookEveryMs)
  const giveUp = setTimeout(() => app.server.closeAllConnections(), limitMs)
  await app.close()
  clearInterval(closing)
  clearTimeout(giveUp)
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))
}
