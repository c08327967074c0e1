/**
 * One address for the gateway's replicas. Each new connection goes to the next ready replica, as with kube-proxy. A
 * removed replica gets no new connections and keeps its existing ones. Nothing is repeated here: a broken connection is
 * a failed request of its client.
 */

import { connect, type Socket } from 'node:net'
import type { buildConnector } from 'undici'

export type Endpoints = {
  add(port: number): void
  remove(port: number): void
  /** Connects to the next replica, for an undici client. */
  connect: buildConnector.connector
  /** The number of connections that each port was given. */
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
