/**
 * A TCP proxy before PostgreSQL that breaks the connection at a COMMIT: before the server has seen it, or after the
 * server has carried it out and before its answer reaches the client. The client cannot tell the two apart.
 */

import { connect, createServer, type Socket } from 'node:net'

export type Break = 'before_commit' | 'after_commit'

export async function startCommitProxy(connectionString: string) {
  const { hostname, port } = new URL(connectionString)
  let armed: Break[] = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let answering = true
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
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
    /** Breaks at the next commits, in this order. */
    arm: (...breaks: Break[]) => {
      armed = breaks
    },
    isDone: () => armed.length === 0,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
