/**
 * A TCP proxy before PostgreSQL that breaks the connection at a COMMIT: before the server has seen it, or after the
 * server has carried it out and before its answer reaches the client. The client cannot tell the two apart. It also
 * plays a server that is out of reach.
 */

import { connect, createServer, type Socket } from 'node:net'

/**
 * The point of a transaction at which the connection breaks: before the server gets the COMMIT, or before the client
 * gets the reply.
 */
export type Break = 'before_commit' | 'after_commit'

/** Starts a proxy for the server of `connectionString` on a free port of loopback. */
export async function startPostgresProxy(connectionString: string) {
  const { hostname, port } = new URL(connectionString)
  let armed: Break[] = []
  let away = false
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    if (away) {
      client.destroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    let answering = true
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (data) => {
      const at = data.includes('COMMIT\0') ? armed.shift() : undefined
      if (at === 'after_commit') answering = false
      if (at === 'before_commit') client.destroy()
      else upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (answering) client.write(data)
      else client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const target = new URL(connectionString)
  target.hostname = '127.0.0.1'
  target.port = String(address.port)
  return {
    connectionString: target.href,
    /** Breaks the connection at each of the next COMMITs, in this order. */
    arm: (...breaks: Break[]) => {
      armed = breaks
    },
    isDone: () => armed.length === 0,
    /** Breaks every connection and refuses new ones, until `bringBack`. */
    takeAway: () => {
      away = true
      cut()
    },
    bringBack: () => {
      away = false
    },
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
