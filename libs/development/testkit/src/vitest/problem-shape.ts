/**
 * Checks the shape of an error response (contract, "Errors"), for every test that gets one: its ten members and no
 * others, the eleventh on routes that have it, and the headers of its status.
 */

import assert from 'node:assert/strict'
import { type ProblemCode, problemCatalogue } from '@financial-agents/contract/problem-catalogue'

const members = 'code detail fields instance request_id retryable status submission_uncertain title type'.split(' ')

/** A response that should be a problem. */
export type ErrorResponse = { status: number; headers: Headers; body: unknown }

export type ExpectedProblem = {
  baseUrl: string
  code: ProblemCode
  /** The path of the request. */
  instance: string
  /** The value of `refresh_onboarding`; undefined if the route does not have it. */
  refreshOnboarding?: boolean
}

/** Throws an AssertionError if `response` is not exactly the expected problem. */
export function checkProblem(response: ErrorResponse, expected: ExpectedProblem): void {
  const { code, refreshOnboarding } = expected
  checkProblemShape(response, { code, onboarding: refreshOnboarding !== undefined })
  const body = response.body as Record<string, unknown>
  assert.equal(body.type, `${expected.baseUrl}/problems/${code}`)
  assert.equal(body.instance, expected.instance)
  assert.equal(body.refresh_onboarding, refreshOnboarding)
}

/**
 * Throws an AssertionError if `response` is not a well-formed problem of this code.
 *
 * @param expected.onboarding true if the route's errors carry `refresh_onboarding`
 */
export function checkProblemShape(response: ErrorResponse, expected: { code: ProblemCode; onboarding: boolean }): void {
  const entry = problemCatalogue[expected.code]
  const body = response.body as Record<string, unknown>
  assert.equal(body.code, expected.code, JSON.stringify(body))
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  const wanted = expected.onboarding ? [...members, 'refresh_onboarding'] : members
  assert.deepEqual(Object.keys(body).toSorted(), wanted.toSorted())
  assert.equal(response.status, entry.status)
  assert.equal(body.status, entry.status)
  assert.equal(body.title, entry.title)
  assert.equal(body.retryable, entry.retryable)
  assert.equal(body.submission_uncertain, entry.submission_uncertain)
  assert.ok(URL.canParse(body.type as string))
  assert.match(body.instance as string, /^\//)
  assert.equal(typeof body.refresh_onboarding, expected.onboarding ? 'boolean' : 'undefined')
  assert.match(body.request_id as string, /^[A-Za-z0-9._~-]{8,128}$/)
  assert.equal(response.headers.get('x-request-id'), body.request_id)
  assert.ok(typeof body.detail === 'string' && body.detail !== '')
  checkFields(body.fields)
  checkHeaders(response)
}

function checkFields(fields: unknown): void {
  if (fields === null) return
  assert.ok(Array.isArray(fields) && fields.length > 0)
  for (const field of fields as Record<string, unknown>[]) {
    assert.deepEqual(Object.keys(field).toSorted(), ['message', 'path'])
    assert.ok(typeof field.message === 'string' && field.message !== '')
    assert.ok(typeof field.path === 'string' && field.path !== '')
  }
}

function checkHeaders({ status, headers }: ErrorResponse): void {
  assert.equal(headers.get('cache-control'), 'no-store')
  if (status === 401 || status === 403) assert.match(headers.get('www-authenticate') ?? '', /^DPoP .*algs="ES256"$/)
  else assert.equal(headers.get('www-authenticate'), null)
  if (status === 429) assert.match(headers.get('retry-after') ?? '', /^[1-9][0-9]*$/)
  if (status === 405) assert.ok(headers.get('allow'))
}
