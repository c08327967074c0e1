/**
 * A TCP proxy before PostgreSQL that breaks the connection at a commit: before the server has seen it, or after the
 * server has carried it out and before its answer reaches the client. The client cannot tell the two apart. It also
 * plays a server that is out of reach.
 */

import { connect, createServer, type Socket } from 'node:net'

/**
 * The point of a transaction at which the connection breaks: before the server gets the COMMIT, or before the client
 * gets the reply.
 */
export type Break = 'before_commit' | 'after_commit'

/** True for a COMMIT, and for several statements in one packet without BEGIN, which commit at its end. */
function commits(data: Buffer): boolean {
  if (data.includes('COMMIT\0')) return true
  const bound = namesOfBound(data)
  return bound.length > 1 && !bound.includes('begin')
}

/** The names of the prepared statements that a packet runs. Each message is its type, its length and its content. */
function namesOfBound(data: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + 5 <= data.length && data[at] !== 0; at += 1 + data.readUInt32BE(at + 1)) {
    // The content of a Bind begins with the name of the portal, which is empty, and that of the statement.
    if (data[at] === 'B'.charCodeAt(0)) names.push(data.toString('utf8', at + 6, data.indexOf(0, at + 6)))
  }
  return names
}

/** Starts a proxy for the server of `connectionString` on a port of loopback, by default a free one. */
export async function startPostgresProxy(connectionString: string, listeningPort = 0) {
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
      const at = commits(data) ? armed.shift() : undefined
      if (at === 'after_commit') answering = false
      if (at === 'before_commit') client.destroy()
      else upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (answering) client.write(data)
      else client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(listeningPort, '127.0.0.1', resolve))
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
