/**
 * A TCP server on loopback that counts complete HTTP requests and lets a test do anything with the connection. The adapter
 * also has to validate connections that no HTTP server would produce.
 */

import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export type RawServer = {
  readonly port: number
  /** The requests received whole, head and body. */
  readonly requests: readonly string[]
  readonly connections: () => number
  close(): Promise<void>
}

/** Calls `onRequest` for each complete request with its number, counted from 1 over all connections. */
export async function startRawServer(onRequest: (socket: Socket, number: number) => void): Promise<RawServer> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    let received = ''
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      for (let length = lengthOfFirst(received); length !== undefined; length = lengthOfFirst(received)) {
        requests.push(received.slice(0, length))
        received = received.slice(length)
        onRequest(socket, requests.length)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    requests,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A whole HTTP/1.1 answer with a body of JSON. */
export function answer(status: number, body: unknown, headers = ''): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return `HTTP/1.1 ${status} X\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${headers}\r\n${text}`
}

function lengthOfFirst(received: string): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const declared = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? '0'
  const length = headEnd + 4 + Number(declared)
  return received.length < length ? undefined : length
}
