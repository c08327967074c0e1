/**
 * Tells the API's own answers from those of anything between the client and the API, such as a load balancer or a captive portal.
 * Only the API's own answers prove something about a write.
 */

import type { Problem } from './generated/types.ts'
import type { Row } from './row.ts'

/** Four routes add `refresh_onboarding`. */
export type ProblemMembers = Problem & { refresh_onboarding?: boolean }

/** An answer that a request is promised. Absent members: status 200, and any object. */
export type Promised = { status?: number; is?: (body: unknown) => boolean }

type Head = Pick<Response, 'status' | 'headers'>
type Members = Readonly<Record<string, unknown>>

/** True for a JSON object. */
export function isObject(given: unknown): given is Members {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

/** True if the answer has this media type. */
export function hasType({ headers }: Pick<Head, 'headers'>, type: string): boolean {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === type
}

/** The parsed body; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The API's problem details; undefined if the answer is somebody else's. */
export function problemIn(response: Head, body: unknown, origin: string): ProblemMembers | undefined {
  const { type, code, status, detail, retryable } = (isObject(body) ? body : {}) as Partial<ProblemMembers>
  const isOwn =
    hasType(response, 'application/problem+json') &&
    /^[a-z][a-z0-9_]*$/.test(String(code)) &&
    type === `${origin}/problems/${code}` &&
    status === response.status &&
    status >= 400 &&
    typeof detail === 'string' &&
    typeof retryable === 'boolean'
  return isOwn ? (body as ProblemMembers) : undefined
}

/** True if the answer is the one that the request is promised. */
export function isPromised(response: Head, body: unknown, { status = 200, is = isObject }: Promised): boolean {
  return response.status === status && (status === 204 || (hasType(response, 'application/json') && is(body)))
}

const texts = ['id', 'kind', 'state', 'created_at', 'updated_at', 'resource_id', 'resource_type']
const textsOrNull = ['failure_code', 'failure_detail', 'next_reconcile_at', 'upstream_reference']

/** The check for an operation, of this kind and with this id if they are given. A state that is not known yet is one all the same. */
export function operationOf(kind?: string, id?: string) {
  return (given: unknown): boolean =>
    isObject(given) &&
    texts.every((name) => typeof given[name] === 'string' && given[name] !== '') &&
    textsOrNull.every((name) => given[name] === null || typeof given[name] === 'string') &&
    typeof given['submission_uncertain'] === 'boolean' &&
    given['kind'] === (kind ?? given['kind']) &&
    given['id'] === (id ?? given['id'])
}

/** The check for a list of such items. */
export function listOf(item: (given: unknown) => boolean) {
  return (given: unknown): boolean => isObject(given) && Array.isArray(given['items']) && given['items'].every(item)
}

/** The answer that the contract promises to a method. `id` is the parameter of its path. */
export function promisedOf({ method, path, keyed, operation, list, status = '201', has }: Row, id?: string): Promised {
  if (keyed) return { status: 202, is: operationOf(keyed === true ? undefined : keyed) }
  if (operation) return { is: operationOf(undefined, id) }
  if (list) return { is: listOf(() => true) }
  if (method === 'DELETE') return { status: 204 }
  if (method === 'POST')
    return { status: Number(status), is: has === undefined ? hasId : (given) => isObject(given) && has in given }
  return path.endsWith('}') ? { is: hasId } : {}
}

/** The check for an object that has an id. */
export function hasId(given: unknown): boolean {
  return isObject(given) && typeof given['id'] === 'string'
}
