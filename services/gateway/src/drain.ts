/**
 * Shuts the HTTP server down. If a server closes an idle connection, a request may be on its way at that moment. A
 * client must not repeat a write whose connection broke. Clients are therefore asked to leave first: after the stop,
 * every answer has `Connection: close` (the responder). Only connections that stay idle are closed.
 *
 * Invariant: a request that has arrived is answered. A request that never arrives completely does not block the
 * shutdown.
 */

import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50

/**
 * Resolves when no connection is left, or after `limitMs`. New connections are still accepted, because not every client
 * knows of the stop yet.
 */
export async function drainConnections(server: Server, limitMs: number): Promise<void> {
  const until = performance.now() + limitMs
  while (performance.now() < until && (await countConnections(server)) > 0) await delay(lookEveryMs)
}

/**
 * Accepts no new connections, and resolves when the last one is closed. Idle connections close at once, others after
 * their answer.
 */
export async function closeServer(app: FastifyInstance, limitMs: number): Promise<void> {
  // Closes connections that become idle later. Otherwise the server would wait for their keep-alive to end.
  const closing = setInterval(() => app.server.closeIdleConnections(), lookEveryMs)
  const giveUp = setTimeout(() => app.server.closeAllConnections(), limitMs)
  await app.close()
  clearInterval(closing)
  clearTimeout(giveUp)
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))
}
