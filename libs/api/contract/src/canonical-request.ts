/**
 * Decides which requests are equal (decisions §5): HMAC-SHA-256 over the method, the concrete path, and the body in RFC
 * 8785 form. The body is the result of JSON.parse, before defaults are filled in.
 */

import { createHmac, type KeyObject } from 'node:crypto'

type CanonicalRequest = { method: string; path: string; body: unknown }

/**
 * Builds the concrete path with one canonical escaping, so that equal requests have equal paths, however the client
 * escaped them.
 */
export function concretePath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** The RFC 8785 (JCS) text of a value from JSON.parse: numbers and strings as ECMAScript writes them, keys sorted. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/**
 * 43 base64url characters that are equal for equal requests and differ for others. `path` is concrete:
 * `/v1/mandates/0199…/revoke`.
 *
 * @param key a secret key; a KeyObject is imported once, and importing is most of the cost of a hash
 */
export function requestHash(key: KeyObject, request: CanonicalRequest): string {
  const body = request.body === undefined ? '' : canonicalJson(request.body)
  return createHmac('sha256', key).update(`${request.method}\n${request.path}\n${body}`).digest('base64url')
}
