/** A way to PostgreSQL that can be cut at the worst moment: the commit goes through and its answer does not. */

import { createConnection, createServer, type Socket } from 'node:net'

export async function startCuttingProxy(connectionString: string) {
  const target = new URL(connectionString)
  let armed = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = createConnection({ host: target.hostname, port: Number(target.port) })
    let cut = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (data) => {
      if (armed && data.includes('COMMIT')) {
        armed = false
        cut = true
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (cut) client.destroy()
      else client.write(data)
    })
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = new URL(connectionString)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    cutAtNextCommit: () => {
      armed = true
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
