/** The tools over a scripted API: the client and its store are real, and a test decides every answer of the API. */

import { FinancialAgents, memoryStore, type Operation } from '@financial-agents/client'
import { device } from '@financial-agents/client/auth/device'
import { operation as operationOf, problem as problemOf } from '@financial-agents/client/testing'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import type { Answer } from './answer.ts'
import { type Draft, draftsIn } from './drafts.ts'
import { OwnerDesk } from './owner-desk.ts'
import { performer } from './perform.ts'
import { createServer } from './server.ts'
import type { Dependencies } from './tool.ts'
import { tools } from './tools/all.ts'

const origin = 'https://api.example'

/** Makes the answer to a request. A reply that throws is a lost answer. */
export type Reply = () => Response

export const json =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  () =>
    Response.json(body, { status, headers })

/** A refusal of the API. */
export const problem = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}): Reply =>
  json(status, problemOf(origin, code, { status, retryable: false, submission_uncertain: false, ...more }), {
    'content-type': 'application/problem+json',
    ...headers,
  })

/** The id of the one operation of the scripted API. */
export const operationId = '01980000-0000-7000-8000-00000000000a'
/** The route that reads it. */
export const readOperation = `GET /v1/operations/${operationId}`

/** An operation as the API shows it. */
export const operation = (state: Operation['state'], more: object = {}) =>
  operationOf({ id: operationId, state, submission_uncertain: false, ...more })

/** The answers after the owner has ended the access: the token is refused, and cannot be renewed. */
export const accessEnded: Readonly<Record<string, Reply>> = {
  [readOperation]: problem(401, 'invalid_token', {}, { 'www-authenticate': 'DPoP error="invalid_token"' }),
  'GET /.well-known/oauth-authorization-server': json(200, { issuer: origin, token_endpoint: `${origin}/token` }),
  'POST /token': json(400, { error: 'invalid_grant' }),
}

export type ScriptedApi = {
  /** Sets the replies of routes from now on. */
  replies(script: Readonly<Record<string, Reply>>): void
  /** The idempotency keys of the writes so far. */
  readonly keys: string[]
  /** Moves the clock of the drafts. */
  later(ms: number): void
  /** Prepares a payment without its checks. */
  prepare(): Promise<Draft>
  /** Calls a tool as a host does that cannot open pages. */
  call(tool: string, args: Record<string, unknown>): Promise<Answer & { isError: boolean }>
}

/** Starts tools whose owner has signed in. */
export async function scriptedApi(): Promise<ScriptedApi> {
  const script = new Map<string, Reply>()
  const keys: string[] = []
  let nowMs = Date.now()
  const store = memoryStore()
  const tokens = { accessToken: 'token', expiresAtMs: Date.now() + 3_600_000, refreshToken: 'refresh', scope: '' }
  await store.set(`${origin}/errand-runner/owner/session`, tokens)
  const desk = new OwnerDesk(5_000)
  const agent = FinancialAgents({
    baseUrl: origin,
    clientId: 'errand-runner',
    store,
    auth: desk.watched(device({ scopes: [] })),
    onOwnerNeeded: desk.onOwnerNeeded,
    retryForMs: 0,
    fetch: async (url, { method = 'GET', headers }) => {
      const { pathname } = new URL(url)
      const key = new Headers(headers).get('idempotency-key')
      if (key !== null) keys.push(key)
      const reply = script.get(`${method} ${pathname}`)
      if (!reply) throw new Error(`the script has no ${method} ${pathname}`)
      return reply()
    },
  })
  const now = () => nowMs
  const drafts = draftsIn(store, now)
  const limits = { readOnly: false, maxPerPayment: {}, tools: undefined }
  const dependencies: Dependencies = { agent, desk, drafts, limits, store, now, waitMs: 15_000, unknown: new Set() }
  const server = createServer(dependencies)
  return {
    replies: (more) => Object.entries(more).forEach(([route, reply]) => script.set(route, reply)),
    keys,
    later: (ms) => {
      nowMs += ms
    },
    prepare: () => drafts.prepare({ beneficiary_id: 'payee', amount: '5.00', currency: 'EUR' }),
    call: async (name, args) => {
      const tool = tools.find((one) => one.name === name)
      if (!tool) throw new Error(`there is no tool ${name}`)
      const context = { mcpReq: { signal: new AbortController().signal } } as unknown as ServerContext
      const { structuredContent, isError } = (await performer(
        tool,
        dependencies,
        server,
      )(args, context)) as CallToolResult
      return { ...(structuredContent as Answer), isError: isError === true }
    },
  }
}
