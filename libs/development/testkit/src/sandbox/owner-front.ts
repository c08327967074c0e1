/**
 * Stands before the gateway and reads its answers: a page that an answer shows to the owner is opened at once. So a client
 * needs nobody who opens pages, and stays as it is.
 */

import { createServer, type IncomingMessage, request as requestTo } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Owner } from './owner.ts'

/** The members of answers that show a page to the owner. */
type Shown = {
  verification_uri?: string
  user_code?: string
  status?: string
  confirmation_url?: string
  action?: { url?: string } | null
}

/** Listens on `port` and forwards to the gateway. Returns the function that stops it. */
export async function startOwnerFront(options: {
  port: number
  gatewayPort: number
  owner: Owner
}): Promise<() => Promise<void>> {
  const { port, gatewayPort, owner } = options
  const opened = new Set<string>()
  const look = (answer: unknown) => {
    const { url, code } = pageOf(answer as Shown)
    if (url === undefined || opened.has(`${url} ${code}`)) return
    opened.add(`${url} ${code}`)
    // A page that the owner cannot open stays undecided, as with a person.
    owner.open(url, code).catch(() => {})
  }
  const server = createServer((request, response) => {
    // The answers are read here, so they are not compressed.
    const { 'accept-encoding': _, ...headers } = request.headers
    const onward = requestTo(
      { host: '127.0.0.1', port: gatewayPort, method: request.method, path: request.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, forwarded(answer))
        if (/^application[/]json/.test(answer.headers['content-type'] ?? ''))
          text(answer).then(
            (body) => {
              response.end(body)
              look(parsed(body))
            },
            () => response.destroy(),
          )
        else answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function pageOf(answer: Shown | null): { url?: string | undefined; code?: string | undefined } {
  if (answer?.verification_uri !== undefined) return { url: answer.verification_uri, code: answer.user_code }
  if (answer?.confirmation_url !== undefined && answer.status === 'pending') return { url: answer.confirmation_url }
  return { url: answer?.action?.url }
}

function forwarded({ headers }: IncomingMessage) {
  const { connection: _, 'transfer-encoding': __, ...rest } = headers
  return rest
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
