/** A provider that lies: a proxy in front of the fake provider that changes one thing. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ProviderCallName, providerCalls } from '@financial-agents/provider-http/api/calls'
import { findCall } from '@financial-agents/provider-http/api/paths'

/** A body of any form, because a faulty provider may change any member. */
export type Json = ReturnType<typeof JSON.parse>

export type Asked = {
  readonly call: ProviderCallName
  readonly method: string
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: Json
}

export type Answered = { readonly status: number; readonly body: Json }

/** Sends a request to the honest provider. */
export type Ask = (asked: Asked) => Promise<Answered>

/** Answers a request. `said` keeps values from one request to the next. */
export type Lie = (asked: Asked, ask: Ask, said: Map<string, Json>) => Promise<Answered>

export type FaultyProvider = { readonly url: string; readonly close: () => Promise<void> }

/** The address at which a faulty provider shows a page of its own. */
export const pagePath = '/page-of-the-faulty-provider'

const page = '<p>5555 0077 1000 4021</p>'

/** Starts the faulty provider on a free port. */
export async function startFaultyProvider(target: string, lie: Lie): Promise<FaultyProvider> {
  const said = new Map<string, Json>()
  const server = createServer((request, response) => {
    const serve = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const url = new URL(request.url ?? '/', target)
      if (url.pathname === pagePath) return response.writeHead(200, { 'content-type': 'text/html' }).end(page)
      const [call] = findCall(request.method ?? '', url.pathname) ?? []
      if (call === undefined) return response.writeHead(404).end()
      const text = Buffer.concat(chunks).toString()
      const { authorization } = request.headers
      const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) }
      const asked = {
        call,
        method: request.method ?? '',
        url,
        headers,
        body: text === '' ? undefined : JSON.parse(text),
      }
      const { status, body } = await lie(asked, honest, said)
      return response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    serve().catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The honest answer. */
export const honest: Ask = async ({ method, url, headers, body }) => {
  const response = await fetch(url, { method, headers, ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) })
  return { status: response.status, body: await response.json() }
}

export const isInstruction = ({ call }: Asked): boolean => providerCalls[call].nature === 'instruction'
export const isSearch = ({ call }: Asked): boolean => providerCalls[call].nature === 'search'
export const isGood = ({ status }: Answered): boolean => status < 300

/** A record that the provider does not keep. */
export function invented(asked: Asked): Answered {
  const { client_reference } = asked.body
  const at = new Date().toISOString()
  const data = { reference: `inv_${client_reference}`, client_reference, status: 'succeeded', settled_at: at }
  return { status: 201, body: { data: { ...data, failure_code: null, brand: 'visa', last_four: '1234' } } }
}

/** A lie about good answers of these calls. */
export function about(
  calls: readonly ProviderCallName[] | ((asked: Asked) => boolean),
  change: (body: Json, asked: Asked, said: Map<string, Json>) => Json,
): Lie {
  const isMeant = typeof calls === 'function' ? calls : ({ call }: Asked) => calls.includes(call)
  return async (asked, ask, said) => {
    const answer = await ask(asked)
    return isMeant(asked) && isGood(answer) ? { ...answer, body: change(answer.body, asked, said) } : answer
  }
}

/** A lie about refusals with one of these codes; without codes about all. */
export function aboutRefusals(codes: readonly string[], change: (asked: Asked, answer: Answered) => Answered): Lie {
  return async (asked, ask) => {
    const answer = await ask(asked)
    const isMeant =
      isInstruction(asked) && !isGood(answer) && (codes.length === 0 || codes.includes(answer.body.error.code))
    return isMeant ? change(asked, answer) : answer
  }
}
