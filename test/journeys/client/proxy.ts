/**
 * A proxy between a client and the gateway, with the faults that a test orders: it loses requests or answers, and tells
 * the test when it does so. The messages that pass decide the moment, never the time.
 */

import { connect, createServer, type Socket } from 'node:net'

/** The fate of one request whose head contains the pattern. */
export type Fate =
  /** The connection breaks before the request is forwarded. */
  | 'lost_request'
  /** The request is forwarded; the connection breaks when its answer comes. */
  | 'lost_answer'

export type Proxy = {
  /** Orders the fate of the next request whose head contains `pattern`; `seen` is called when it is decided. */
  order(pattern: string, fate: Fate, seen?: () => void): void
  /** While true, every connection is closed, as if the host could not be reached. */
  away: boolean
  close(): Promise<void>
}

type Order = { pattern: string; fate: Fate; seen: () => void }

/** Listens on `port` and forwards to `target` on loopback. */
export async function startProxy(port: number, target: number): Promise<Proxy> {
  const orders: Order[] = []
  const sockets = new Set<Socket>()
  let away = false
  const server = createServer((client) => {
    sockets.add(client)
    client.on('close', () => sockets.delete(client)).on('error', () => {})
    if (away) {
      client.destroy()
      return
    }
    const gateway = connect(target, '127.0.0.1')
    const broken = () => {
      client.destroy()
      gateway.destroy()
    }
    let lost: Order | undefined
    gateway.on('error', broken).on('close', broken)
    client.on('close', () => gateway.destroy())
    client.on('data', (chunk) => {
      const head = chunk.toString('latin1')
      const index = orders.findIndex(({ pattern }) => head.includes(pattern))
      const [order] = index < 0 ? [] : orders.splice(index, 1)
      if (order?.fate === 'lost_request') {
        order.seen()
        broken()
        return
      }
      lost ??= order
      gateway.write(chunk)
    })
    gateway.on('data', (chunk) => {
      if (lost) {
        lost.seen()
        broken()
      } else client.write(chunk)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    get away() {
      return away
    },
    set away(isAway) {
      away = isAway
      if (isAway) for (const socket of sockets) socket.destroy()
    },
    order: (pattern: string, fate: Fate, seen = () => {}) => void orders.push({ pattern, fate, seen }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
