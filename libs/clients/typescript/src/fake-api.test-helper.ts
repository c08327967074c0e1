/** A server without a network: it answers the API's requests in order as a test says, and those of the authorization server by itself. */

import { service } from './auth/service.ts'
import { type Agent, FinancialAgents } from './client.ts'
import type { Operation } from './generated/types.ts'
import { type FinancialAgentsOptions } from './options.ts'
import { operation as operationOf, problem as problemOf } from './testing/answers.ts'

/** The answer to one request: a response, or an error for a request without an answer. */
export type Answer = (url: URL, init: RequestInit) => Response | Error

const origin = 'https://api.example'
const metadata = {
  issuer: origin,
  token_endpoint: `${origin}/token`,
  device_authorization_endpoint: `${origin}/device`,
}
const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
const key = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as Record<string, string>

/** Creates the server and its clients. */
export function fakeApi(...answers: Answer[]) {
  const api = {
    answers,
    /** The requests that the API received: `POST /v1/mandates/m/transfers`. */
    asked: [] as string[],
    keys: new Set<string>(),
    /** The requests for tokens. */
    tokens: 0,
    /** The answer to a request for tokens. */
    token: (): Response | Error | Promise<Response> => tokenOf(`token-${api.tokens}`),
    fetch: async (address: string, init: RequestInit): Promise<Response> => {
      const url = new URL(address)
      if (url.pathname.startsWith('/.well-known/')) return Response.json(metadata)
      if (url.pathname === '/token') {
        api.tokens += 1
        return given(await api.token())
      }
      api.asked.push(`${init.method} ${url.pathname}${url.search}`)
      const sentKey = new Headers(init.headers).get('idempotency-key')
      if (sentKey !== null) api.keys.add(sentKey)
      const answer = api.answers.shift()
      if (!answer) throw new Error(`the test has no answer to ${init.method} ${address}`)
      return given(answer(url, init))
    },
    agent: (more: Partial<FinancialAgentsOptions> = {}): Agent =>
      FinancialAgents({
        baseUrl: origin,
        clientId: 'app',
        auth: service({ key: { ...key, kid: 'one' }, scopes: ['operations:read'] }),
        fetch: api.fetch,
        retryForMs: 0,
        ...more,
      }),
  }
  return api
}

function given(answer: Response | Error): Response {
  if (answer instanceof Error) throw answer
  return answer
}

/** The answer of the token endpoint. A token of one second is renewed at each use. */
export function tokenOf(token: string, expiresInS = 300): Response {
  return Response.json({ access_token: token, token_type: 'DPoP', expires_in: expiresInS })
}

export const answered =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(body, { status, headers })

/** A refusal of the API itself. */
export const refused =
  (code: string, status: number, more: object = {}, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(JSON.stringify({ ...problem(code, status), ...more }), {
      status,
      headers: { 'content-type': 'application/problem+json', ...headers },
    })

/** A test says itself what is uncertain, or may be repeated. */
const certain = { retryable: false, submission_uncertain: false }

/** The API's problem details. */
export const problem = (code: string, status: number) => problemOf(origin, code, { status, ...certain })

/** No answer: the request may have arrived. */
export const lost: Answer = () => new TypeError('the connection broke')

/** No answer: the request was not sent. */
export const unsent: Answer = () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })

/** An answer of a proxy in between. */
export const proxied =
  (status: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(status === 204 ? null : '<html></html>', {
      status,
      headers: { 'content-type': 'text/html', ...headers },
    })

/** An operation, as the API shows it. */
export const operation = (id = 'op-1', state: Operation['state'] = 'accepted', more: object = {}) =>
  operationOf({ id, kind: 'mandate_transfer', state, resource_id: 'res-1', resource_type: 'mandate_transfer', ...more })

export const sessionKey = `${origin}/app/owner/session`
