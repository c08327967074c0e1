/**
 * The responses of operations: the success, and the problems by status. Every refusal has one of two schemas; its possible
 * codes are in `x-problem-codes`, because a schema for each list of codes would be a model in generated clients.
 *
 * Invariant: operations with equal responses share one component.
 */

import type { z } from 'zod'
import { type ProblemCode, problemCatalogue } from '../problem-catalogue.ts'
import { problemsOf } from '../problems-of.ts'
import type { Route } from '../route.ts'
import { problem, problemWithOnboarding } from '../schemas/problem.ts'
import { schemaReference } from './components.ts'
import { headerReferences } from './headers.ts'
import { jsonContent } from './media.ts'

const statuses: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The request is not well-formed.'],
  401: ['Unauthorized', 'The access token or the DPoP proof is not valid; inspect `WWW-Authenticate`.'],
  403: ['Forbidden', 'The access token does not authorise this.'],
  404: ['NotFound', 'There is no such thing, or it is not visible to this client.'],
  405: ['MethodNotAllowed', 'The path does not take this method.'],
  408: ['RequestTimeout', 'The request did not arrive in time.'],
  409: ['Conflict', 'Refused as things stand.'],
  413: ['PayloadTooLarge', 'The body holds more than 64 KiB.'],
  415: ['UnsupportedMediaType', 'The body is not `application/json`.'],
  417: ['ExpectationFailed', 'The `Expect` header asks for something else than `100-continue`.'],
  422: ['ValidationFailed', 'The request has not the required shape; `fields` names what is wrong.'],
  429: ['TooManyRequests', 'The shared request limit is exceeded.'],
  431: ['RequestHeaderTooLarge', 'Request line and headers hold more than 16 KiB.'],
  500: ['ServerError', 'Something went wrong on our side; it is logged under the request id.'],
  503: ['Unavailable', 'Something that this needs is out of reach.'],
}

type Reference = { $ref: string }

/** An OpenAPI response object. */
export type Response = { description: string } & Record<string, unknown>

/** Builds `components.responses` for the problems of all rows, and a function to the responses of one row by status. */
export function createProblemResponses(rows: readonly Route[]) {
  const shared = sharedResponses(rows)
  const components = Object.fromEntries(Array.from(shared, ([key, name]) => [name, JSON.parse(key) as Response]))
  const responsesOf = (row: Route): Record<string, Response | Reference> => {
    const answers = byStatus(row).map(([status, codes]) => {
      const response = problemResponse(row, status, codes)
      const name = shared.get(JSON.stringify(response))
      return [String(status), name === undefined ? response : { $ref: `#/components/responses/${name}` }] as const
    })
    return Object.fromEntries(answers)
  }
  return { components, responsesOf }
}

/**
 * Finds responses that several rows share, for each status the most frequent one. Returns names by the response's text.
 */
function sharedResponses(rows: readonly Route[]): Map<string, string> {
  const counts = new Map<string, { name: string; count: number }>()
  for (const row of rows)
    for (const [status, codes] of byStatus(row)) {
      const key = JSON.stringify(problemResponse(row, status, codes))
      const count = (counts.get(key)?.count ?? 0) + 1
      counts.set(key, {
        name: `${statuses[status]?.[0]}${bodyOf(row, status) === problem ? '' : 'WithOnboarding'}`,
        count,
      })
    }
  const most = [...counts].filter(([, { count }]) => count > 1).toSorted(([, a], [, b]) => a.count - b.count)
  const winners = new Map(most.map(([key, { name }]) => [name, key]))
  return new Map(Array.from(winners, ([name, key]) => [key, name]))
}

function byStatus(row: Route): [status: number, codes: ProblemCode[]][] {
  const groups = Map.groupBy(problemsOf(row), (code) => problemCatalogue[code].status)
  return [...groups].toSorted(([one], [other]) => one - other)
}

function problemResponse(row: Route, status: number, codes: readonly ProblemCode[]): Response {
  return {
    description: `${statuses[status]?.[1]} ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: headerReferences([
      'X-Request-Id',
      ...(row.scope === null || beforeRouting.has(status) ? [] : (['DPoP-Nonce'] as const)),
      ...(status === 401 || status === 403 ? (['WWW-Authenticate'] as const) : []),
      ...(status === 405 ? (['Allow'] as const) : []),
      ...(status === 429 ? (['Retry-After'] as const) : []),
    ]),
    'x-problem-codes': codes,
    content: {
      'application/problem+json': {
        schema: schemaReference(bodyOf(row, status)),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: exampleReference(row, code) }])),
      },
    },
  }
}

const beforeRouting = new Set([405, 431])

/** The schema of an error body. An error that occurs before the route is known never has `refresh_onboarding`. */
function bodyOf({ refreshOnboarding }: Route, status: number): z.ZodType {
  return refreshOnboarding && !beforeRouting.has(status) ? problemWithOnboarding : problem
}

/**
 * True if a route can answer an error with this code, which may then have `refresh_onboarding`. Other errors occur
 * before the route is known.
 */
export function mayRefreshOnboarding(code: ProblemCode): boolean {
  return code !== 'route_not_found' && !beforeRouting.has(problemCatalogue[code].status)
}

/** The name of the example of a problem, for a route with or without `refresh_onboarding`. */
export function problemExampleName(code: ProblemCode, refreshOnboarding: boolean): string {
  return refreshOnboarding ? `${code}_with_onboarding` : code
}

function exampleReference({ refreshOnboarding }: Route, code: ProblemCode): string {
  return `#/components/examples/${problemExampleName(code, refreshOnboarding && mayRefreshOnboarding(code))}`
}

const successes: Readonly<Record<Route['status'], string>> = {
  200: 'As things are now.',
  201: 'It was made.',
  202: 'Accepted as a durable operation. On a replay, marked by `Idempotent-Replayed`, the operation as it is now.',
  204: 'Done. There is no body.',
}

export function successResponse(row: Route): Response {
  const headers = headerReferences([
    'X-Request-Id',
    ...(row.scope === null ? [] : (['DPoP-Nonce'] as const)),
    ...(row.keyed ? (['Idempotent-Replayed'] as const) : []),
    ...(row.maxAgeS !== null ? (['ETag', 'Cache-Control'] as const) : []),
  ])
  const description = successes[row.status]
  if (row.status === 204) return { description, headers }
  return { description, headers, content: jsonContent(row.response) }
}
