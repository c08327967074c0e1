/**
 * The proxy between the adapter and the provider. It counts the requests that arrive, and compares every answer of the provider
 * with the published shapes. It makes the faults that a sandbox need not offer: a lost request, a lost answer, a late answer, a
 * failure, an answer that nobody can read.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProviderCall, ProviderCallName } from '@financial-agents/provider-http/api/calls'
import { findCall } from '@financial-agents/provider-http/api/paths'
import { refusal } from '@financial-agents/provider-http/api/records'
import type { Answer, Sender } from './sender.ts'

/** Bounds the wait for a request that an adapter has sent. */
const longestArrivalMs = 30_000

/** A fault that the proxy makes with the next request that fits. */
export type ProxyFault =
  | 'hold'
  | 'slow'
  | 'drop_reply'
  | 'error_reply'
  | 'garble_reply'
  | 'drop_request'
  | 'error_only'
  | 'malform'
  | 'refuse'

export type Proxy = {
  readonly url: string
  /** Orders the fault for the next instruction with this reference. */
  readonly orderInstruction: (reference: string, fault: ProxyFault) => void
  /** Orders the fault for the next request of this call. */
  readonly orderCall: (call: ProviderCallName, fault: ProxyFault) => void
  /** Counts the instructions with this reference that arrived. Waits until the provider has answered them. */
  readonly countArrivals: (reference: string) => Promise<number>
  /** Forwards an instruction that was ordered to be held. Resolves when the provider has answered it. */
  readonly release: (reference: string) => Promise<void>
  readonly countInstructions: () => number
  /** Returns the last instruction with this reference as the adapter sent it, even if the proxy dropped it. */
  readonly sent: (reference: string) => SentRequest
  /** The faults of the answers until now: call, status and place, without values. */
  readonly violations: () => readonly string[]
  readonly close: () => Promise<void>
}

/** A request as the adapter sent it. */
export type SentRequest = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Starts the proxy on a free port of this machine. @param sender the way to the provider */
export async function startProxy(sender: Sender): Promise<Proxy> {
  const ofReference = new Map<string, ProxyFault>()
  const ofCall = new Map<ProviderCallName, ProxyFault>()
  const arrivals = new Map<string, Promise<unknown>[]>()
  const sent = new Map<string, SentRequest>()
  const held = new Map<string, Held>()
  const violations = new Set<string>()
  let instructions = 0

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request)
    const [name, row] = findCall(request.method ?? '', (request.url ?? '').split('?')[0] ?? '') ?? []
    const reference = row?.nature === 'instruction' ? referenceOf(body) : undefined
    const fault = take(ofReference, reference) ?? take(ofCall, name)
    if (row?.nature === 'instruction') instructions += 1
    if (reference !== undefined) sent.set(reference, { path: request.url ?? '', headers: headersOf(request), body })
    if (isKept(fault, row)) {
      if (reference !== undefined) note(arrivals, reference, Promise.resolve())
      if (fault === 'error_only') return send(response, unavailable)
      // A slow answer to a read is never sent, because its caller has long given up.
      if (fault === 'drop_request') request.socket.destroy()
      return
    }
    if (fault === 'refuse') return send(response, refused)
    if (fault === 'hold' && reference !== undefined) {
      const { promise, resolve } = Promise.withResolvers<void>()
      note(arrivals, reference, Promise.resolve())
      held.set(reference, { go: resolve, done: promise.then(() => forward(sender, request, body)) })
      return
    }
    const forwarded = forward(sender, request, body)
    if (reference !== undefined)
      note(
        arrivals,
        reference,
        forwarded.catch(() => undefined),
      )
    const answer = await forwarded
    for (const violation of violationsOf(name, row, answer)) violations.add(violation)
    if (fault === 'drop_reply') return void request.socket.destroy()
    if (fault === 'slow') return
    send(response, replaced(answer, fault))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy())
  })
  await listen(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orderInstruction: (reference, fault) => void ofReference.set(reference, fault),
    orderCall: (call, fault) => void ofCall.set(call, fault),
    async countArrivals(reference) {
      const arrived = arrivals.get(reference) ?? []
      await Promise.all(arrived)
      return arrived.length
    },
    async release(reference) {
      const waiting = await untilHeld(held, reference)
      waiting.go()
      await waiting.done
    },
    countInstructions: () => instructions,
    sent(reference) {
      const request = sent.get(reference)
      if (request === undefined) throw new Error('the adapter sent no instruction with this reference')
      return request
    },
    violations: () => [...violations].toSorted(),
    close: () => close(server),
  }
}

type Held = { readonly go: () => void; readonly done: Promise<unknown> }

/** Waits for a held instruction: an adapter may give up before its request has arrived here. */
async function untilHeld(held: ReadonlyMap<string, Held>, reference: string): Promise<Held> {
  const waitUntil = performance.now() + longestArrivalMs
  for (;;) {
    const waiting = held.get(reference)
    if (waiting !== undefined) return waiting
    if (performance.now() > waitUntil) throw new Error('nothing is held under this reference')
    await delay(20)
  }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

const refused: Answer = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { code: 'refused' } }),
}

/** A failure inside the provider. It has the document of a refusal, and its status shows that it is none. */
const failedInside: Answer = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { code: 'internal' } }),
}

/** The answer of a gateway before the provider. */
const unavailable: Answer = {
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<h1>503 Service Unavailable</h1>',
}

/** True if the provider does not get the request. */
function isKept(fault: ProxyFault | undefined, row: ProviderCall | undefined): boolean {
  return fault === 'drop_request' || fault === 'error_only' || (fault === 'slow' && row?.nature !== 'instruction')
}

/** The answer that the adapter gets in place of the provider's. */
function replaced(answer: Answer, fault: ProxyFault | undefined): Answer {
  switch (fault) {
    case 'malform':
      return { ...answer, body: malformed(answer.body) }
    case 'garble_reply':
      return { ...answer, body: answer.body.slice(0, answer.body.length / 2) }
    case 'error_reply':
      return failedInside
    default:
      return answer
  }
}

function take<Key>(faults: Map<Key, ProxyFault>, key: Key | undefined): ProxyFault | undefined {
  const fault = key === undefined ? undefined : faults.get(key)
  if (key !== undefined) faults.delete(key)
  return fault
}

function note(arrivals: Map<string, Promise<unknown>[]>, reference: string, done: Promise<unknown>): void {
  arrivals.set(reference, [...(arrivals.get(reference) ?? []), done])
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function referenceOf(body: string): string | undefined {
  const reference = (findJson(body) as { client_reference?: unknown } | undefined)?.client_reference
  return typeof reference === 'string' ? reference : undefined
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Headers of one connection, which are not passed on. */
const ofConnection = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

function headersOf(request: IncomingMessage): Record<string, string> {
  const kept = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !ofConnection.has(name) ? [[name, value]] : [],
  )
  return Object.fromEntries(kept)
}

function forward(sender: Sender, request: IncomingMessage, body: string): Promise<Answer> {
  const { method = 'GET', url: path = '/' } = request
  return sender.send({ method, path, headers: headersOf(request), body: method === 'POST' ? body : undefined })
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body)
}

/** The differences between an answer and what the document says about it. */
function violationsOf(name: string | undefined, row: ProviderCall | undefined, { status, body }: Answer): string[] {
  if (row === undefined || name === undefined) return []
  const say = (what: string) => [`${name} ${status}: ${what}`]
  if (status >= 500) return say('a failure inside')
  const value = findJson(body)
  if (value === undefined) return say('no JSON')
  if (status >= 400) return refusal.safeParse(value).success ? [] : say('no refusal document')
  if (!statuses[row.nature].includes(status)) return say('a status that the document does not have')
  const { error } = row.answer.safeParse(value)
  const where = error?.issues.map(({ path, code }) => `${path.map(String).join('.')} (${code})`) ?? []
  return where.flatMap((place) => say(place))
}

const statuses: { readonly [N in ProviderCall['nature']]: readonly number[] } = {
  instruction: [200, 201, 202],
  search: [200],
  start: [200, 201],
  read: [200],
}

/** The same answer with its first value wrapped in an object. */
function malformed(text: string): string {
  const value = findJson(text)
  if (typeof value === 'object' && value !== null) wrapFirst(value as Record<string, unknown>)
  return JSON.stringify(value)
}

function wrapFirst(holder: Record<string, unknown>): boolean {
  for (const [name, value] of Object.entries(holder)) {
    if (typeof value !== 'object' || value === null) {
      holder[name] = { unexpected: value }
      return true
    }
    if (wrapFirst(value as Record<string, unknown>)) return true
  }
  return false
}
