/** The bank of the adapter beside it: payees and payments by the reference of the application, and faults on order. It is only for tests. */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const bankFaults = [
  'refuse',
  'reject',
  'slow',
  'drop_reply',
  'error_reply',
  'garble_reply',
  'drop_request',
  'error_only',
] as const
export type BankFault = (typeof bankFaults)[number]

export type Bank = {
  readonly url: string
  /** Orders a fault for the request of one reference, or for the next one of all. */
  order(fault: BankFault, reference?: string): void
  countArrivals(reference: string): number
  countAll(): number
  close(): Promise<void>
}

type Body = { external_id: string; payee?: string }
type Entry = { id: string; external_id: string; token: string }

/** @param tokens of the persons whom the bank knows */
export async function startBank(tokens: ReadonlySet<string>): Promise<Bank> {
  const payees = new Map<string, Entry>()
  const payments = new Map<string, Entry>()
  const tables = new Map([
    ['/payees', payees],
    ['/payments', payments],
  ])
  const arrivals = new Map<string, number>()
  const faults = new Map<string, BankFault>()

  const create = (entries: Map<string, Entry>, token: string, body: Body, response: ServerResponse) => {
    const { external_id, payee } = body
    arrivals.set(external_id, (arrivals.get(external_id) ?? 0) + 1)
    const key = faults.has(external_id) ? external_id : 'next'
    const fault = faults.get(key)
    faults.delete(key)
    if (fault === 'drop_request') return response.destroy()
    if (fault === 'error_only') return answer(response, 503, {})
    if (fault === 'refuse') return answer(response, 409, {})
    if (fault === 'reject') return answer(response, 422, {})
    const isKnown = [...payees.values()].some((known) => known.id === payee && known.token === token)
    if (entries === payments && !isKnown) return answer(response, 422, {})
    const made = entries.get(external_id) ?? { id: randomUUID(), external_id, token }
    entries.set(external_id, made)
    if (fault === 'drop_reply') return response.destroy()
    if (fault === 'error_reply') return answer(response, 500, {})
    if (fault === 'garble_reply') return response.writeHead(201).end(`{ "id": "${made.id}", "external`)
    // Slower than anybody waits; the caller ends the connection.
    if (fault === 'slow') return undefined
    return answer(response, 201, { id: made.id, external_id })
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!tokens.has(token)) return answer(response, 401, {})
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bank')
    if (pathname === '/session') return answer(response, 200, {})
    const entries = tables.get(pathname)
    if (entries === undefined) return answer(response, 404, {})
    if (request.method === 'POST') return create(entries, token, await bodyOf(request), response)
    const entry = entries.get(searchParams.get('external_id') ?? '')
    const shown = entry?.token === token ? [{ id: entry.id, external_id: entry.external_id }] : []
    return answer(response, 200, { [pathname.slice(1)]: shown })
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    order: (fault, reference = 'next') => void faults.set(reference, fault),
    countArrivals: (reference) => arrivals.get(reference) ?? 0,
    countAll: () => [...arrivals.values()].reduce((sum, count) => sum + count, 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString())
}
