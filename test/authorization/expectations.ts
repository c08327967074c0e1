/** Expectations of an answer: an OAuth error appears in exactly one place, and nothing else comes with it. */

import { expect } from 'vitest'
import type { Arrival, Left } from './browser.ts'
import { environment } from './environment.ts'
import { describeEnd, type FlowEnd } from './flow.ts'
import type { Answer } from './http.ts'
import { type Page, wordsOf } from './page.ts'
import type { AuthorizationRequest } from './party.ts'

/** Expects an error in a JSON body (RFC 6749, 5.2), from an endpoint that clients call directly. */
export function expectError(answer: Answer, status: number, error: string): void {
  expect(answer.body, `${answer.status} ${answer.text.slice(0, 300)}`).toMatchObject({ error })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('cache-control')).toContain('no-store')
  for (const name of Object.keys(answer.body)) expect(['error', 'error_description', 'scope']).toContain(name)
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w.~-]{8,128}$/)
}

export function expectTokens(answer: Answer, { refresh = true, id = false } = {}): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  const optional = [...(refresh ? ['refresh_token'] : []), ...(id ? ['id_token'] : [])]
  const members = ['access_token', 'expires_in', 'scope', 'token_type', ...optional]
  expect(Object.keys(answer.body).toSorted()).toEqual(members.toSorted())
  expect(answer.body).toMatchObject({ token_type: 'DPoP', expires_in: 300 })
  expect(answer.headers.get('cache-control')).toContain('no-store')
}

/** Expects an error at the client's redirect URI, with the state and the issuer (RFC 9207). */
export function expectSentBack(
  end: { left?: Left | undefined; page?: Page | undefined },
  request: Pick<AuthorizationRequest, 'parameters'>,
  error: string,
): void {
  const { left } = end
  if (!left) throw new Error(`not sent back: ${describeEnd({ asked: [], consent: undefined, ...end } as FlowEnd)}`)
  expect(Object.fromEntries(left.params)).toMatchObject({ error, iss: environment().baseUrl })
  expect(left.params.get('state')).toBe(request.parameters.state ?? null)
  expect(left.params.has('code')).toBe(false)
  expect(left.mode).toBe(request.parameters.response_mode === 'form_post' ? 'form_post' : 'query')
  const target = new URL(request.parameters.redirect_uri as string)
  expect(left.url.origin + left.url.pathname).toBe(target.origin + target.pathname)
}

/** Expects a page that shows the error and does not redirect. */
export function expectErrorPage(end: Arrival | FlowEnd, error: string): void {
  const { page } = end
  if (!page) throw new Error(`sent to ${end.left?.url.origin} with ${end.left?.params.toString()}`)
  expect(page.status, wordsOf(page).slice(0, 300)).toBe(400)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  expect(page.headers.get('cache-control')).toContain('no-store')
  expect(page.headers.has('location')).toBe(false)
  expect(wordsOf(page)).toContain(error)
}

/** Expects that a protected request was refused because of its token. */
export function expectTokenRefused(answer: Answer): void {
  expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_token'])
  expect(answer.headers.get('www-authenticate')).toMatch(/^DPoP .*error="invalid_token"/)
}
