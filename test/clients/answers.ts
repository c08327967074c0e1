/** The answers from which the cases are made: the API's own, and those of something in between. */

import type { Operation } from '@financial-agents/client'
import { operation as operationOf, problem as problemOf } from '@financial-agents/client/testing'

/**
 * `lost`: the connection breaks after the request. `cut`: the answer breaks off. `unsent`: no connection can be opened.
 * `never`: no answer comes. `stuck`: the answer begins, and never ends.
 */
export type Answer =
  | 'lost'
  | 'cut'
  | 'unsent'
  | 'never'
  | 'stuck'
  | { readonly status: number; readonly text?: string; readonly headers?: Readonly<Record<string, string>> }

type Reply = Exclude<Answer, string>

/** The payee of every payment. */
export const payeeId = '01980000-0000-7000-8000-00000000000b'

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  text: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})

/** The identifier of an operation. */
export const id = (number: number) => `01980000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** An operation, as the API shows it: a payment, if nothing else is said. A version to come may have states and kinds of its own. */
export const operation = (number = 1, state = 'succeeded', more: object = {}) =>
  operationOf({ id: id(number), resource_id: payeeId, state: state as Operation['state'], ...more })

export const accepted = json(202, operation())
export const running = json(202, operation(1, 'submitted'))
export const read = (state = 'succeeded', more: object = {}) => json(200, operation(1, state, more))
export const found = json(200, { items: [operation(2)], next_cursor: null })
export const none = json(200, { items: [], next_cursor: null })

export const problem = (code: string, status: number, more: object = {}) =>
  problemOf('{origin}', code, { status, retryable: false, submission_uncertain: false, ...more })

/** A refusal of the API itself. */
export const refused = (code: string, status: number, more: object = {}, headers: Record<string, string> = {}): Reply =>
  json(status, problem(code, status, more), { 'content-type': 'application/problem+json', ...headers })

export const invalid = refused('validation_failed', 422)
export const forbidden = refused('insufficient_scope', 403)
export const busy = refused('rate_limited', 429, { retryable: true })
export const unavailable = refused('service_unavailable', 503, { retryable: true })
export const broken = refused('internal_error', 500)
export const unknown = refused('acceptance_unknown', 503, { submission_uncertain: true })
export const staleToken = refused('invalid_token', 401, {}, { 'www-authenticate': 'DPoP error="invalid_token"' })
export const endedGrant = json(400, { error: 'invalid_grant' })

/** The page of a proxy. */
export const page = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  text: '<html></html>',
  headers: { 'content-type': 'text/html', ...headers },
})

/** The same answer, with another time of the server. */
export const at = (time: Date, answer: Reply): Reply => ({
  ...answer,
  headers: { ...answer.headers, date: time.toUTCString() },
})

const text = (answer: Reply, given: string): Reply => ({ ...answer, text: given })
const typed = (answer: Reply, type: string): Reply => ({
  ...answer,
  headers: { ...answer.headers, 'content-type': type },
})
const own = problem('validation_failed', 422)
const problemJson = (status: number, body: object) => typed(json(status, body), 'application/problem+json')

/** The answers of a load balancer, a captive portal or a cache to a payment. None proves anything about it. */
export const foreign: readonly (readonly [name: string, answer: Reply])[] = [
  ...[200, 201, 204, 302, 304, 400, 401, 403, 404, 408, 409, 413, 422, 429, 499, 500, 502, 503, 504, 520].map(
    (status) => [`a page with ${status}`, page(status)] as const,
  ),
  ['a redirect', { status: 302, headers: { location: 'https://portal.example/' } }],
  ['other JSON with 200', json(200, { status: 'ok' })],
  ['other JSON with the promised status', json(202, { status: 'ok' })],
  ['null', json(202, null)],
  ['a list', json(202, [operation()])],
  ['an empty body', text(accepted, '')],
  ['half an operation', text(accepted, JSON.stringify(operation()).slice(0, 90))],
  ['an operation with another status', json(200, operation())],
  ['an operation with another media type', typed(accepted, 'text/html')],
  ['an operation of another kind', json(202, operation(1, 'succeeded', { kind: 'card_freeze' }))],
  ['an operation without an id', json(202, { ...operation(), id: undefined })],
  ['an operation of another shape', json(202, { id: id(1), state: 'accepted' })],
  ['a challenge for a token', json(401, {}, { 'www-authenticate': 'DPoP error="invalid_token"' })],
  ['problem details of nobody', problemJson(422, { title: 'Blocked', status: 422 })],
  [
    'problem details of another API',
    problemJson(422, { ...own, type: 'https://other.example/problems/validation_failed' }),
  ],
  ['problem details about:blank', problemJson(422, { ...own, type: 'about:blank' })],
  ['problem details of another status', problemJson(403, own)],
  ['problem details of another code', problemJson(422, { ...own, code: 'other' })],
  ['problem details that are plain JSON', json(422, own)],
  [
    'problem details that say so themselves',
    problemJson(503, { code: 'x', detail: 'no', retryable: true, status: 503 }),
  ],
]

/** The answers of something in between to a request for a token. None says anything about the grant. */
export const foreignTokens: readonly (readonly [name: string, answer: Reply])[] = [
  ['a page with 400', page(400)],
  ['a page with 401', page(401)],
  ['a challenge', page(401, { 'www-authenticate': 'Basic realm="proxy"' })],
  ['JSON with 401', json(401, { message: 'Unauthorized' })],
  ['a refusal with 403', json(403, { error: 'invalid_grant' })],
  ['a refusal that is a page', typed(endedGrant, 'text/html')],
  ['a refusal of the client with 403', json(403, { error: 'invalid_client' })],
  ['other JSON', json(200, { status: 'ok' })],
  ['null', json(200, null)],
  ['nothing', { status: 204 }],
  ['a redirect', { status: 302, headers: { location: 'https://portal.example/' } }],
  ['a page with 503', page(503)],
  ['a page with 429', page(429)],
]
