/**
 * Equality of requests (decisions §5): HMAC-SHA-256 over method, concrete path and the body as sent, in RFC 8785 form.
 * The body is what JSON.parse gave, before any default was filled in.
 */

import { createHmac, type KeyObject } from 'node:crypto'

type CanonicalRequest = { method: string; path: string; body: unknown }

/** The path of a request in the one spelling by which equal requests are equal, however the client escaped it. */
export function concretePath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** RFC 8785 (JCS) text of a value that JSON.parse gave: numbers and strings as ECMAScript writes them, keys sorted. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/**
 * 43 base64url characters that are equal exactly for equal requests. `path` is concrete: `/v1/mandates/0199…/revoke`.
 *
 * @param key a secret key; as a KeyObject it is imported once, which is most of what a hash would cost
 */
export function requestHash(key: KeyObject, request: CanonicalRequest): string {
  const body = request.body === undefined ? '' : canonicalJson(request.body)
  return createHmac('sha256', key).update(`${request.method}\n${request.path}\n${body}`).digest('base64url')
}
