/** A receiver of webhooks on this machine. It stores the requests, and a test sets its answers. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: Record<string, string>; body: string; atMs: number }

type Answer = (received: Received, response: ServerResponse) => void

export type Receiver = {
  url: string
  received: Received[]
  /** The largest number of requests that were open at once. */
  mostAtOnce: () => number
  answer: (how: Answer | number) => void
  stop(): Promise<void>
}

export async function startReceiver(given?: Server): Promise<Receiver> {
  const received: Received[] = []
  let [open, most] = [0, 0]
  let answer: Answer = (_received, response) => void response.writeHead(204).end()
  const listen = async (request: IncomingMessage, response: ServerResponse) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    const one = { path: request.url ?? '', headers, body: Buffer.concat(chunks).toString(), atMs: Date.now() }
    received.push(one)
    answer(one, response)
  }
  const server = given ?? createServer()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => void listen(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mostAtOnce: () => most,
    answer: (how) => {
      answer = typeof how === 'number' ? (_received, response) => void response.writeHead(how).end() : how
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
