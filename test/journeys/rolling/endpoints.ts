/**
 * What stands before the gateway's replicas: one address, and each new connection goes to the next replica that is ready, as
 * kube-proxy does it. A replica that is taken out gets no new connections; those that it has stay. Nothing is repeated here:
 * a connection that breaks is a failed request of its client.
 */

import { connect, type Socket } from 'node:net'
import type { buildConnector } from 'undici'

export type Endpoints = {
  add(port: number): void
  remove(port: number): void
  /** Connects to the next, for a client of undici. */
  connect: buildConnector.connector
  /** How many connections each port was given. */
  given: ReadonlyMap<number, number>
}

export function createEndpoints(): Endpoints {
  const ready: number[] = []
  const given = new Map<number, number>()
  let turn = 0
  return {
    given,
    add: (port) => {
      ready.push(port)
    },
    remove: (port) => {
      ready.splice(ready.indexOf(port), 1)
    },
    connect: (_options, callback) => {
      turn += 1
      const port = ready[turn % ready.length] as number
      given.set(port, (given.get(port) ?? 0) + 1)
      const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true, keepAlive: true })
      socket.once('connect', () => callback(null, socket))
      socket.once('error', (error) => callback(error, null))
    },
  }
}
