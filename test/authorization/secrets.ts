/**
 * Values that must never appear in a log. Every token, code, proof, assertion, verifier, cookie and user code that is
 * sent or received is noted here. The logs are then searched for them.
 */

import { appendFileSync } from 'node:fs'
import { environmentIfAny } from './environment.ts'

/** Form members, query parameters and JSON members whose values are secrets. */
const names = new Set(
  [
    'access_token refresh_token id_token token code device_code user_code code_verifier client_assertion request_uri',
    'state nonce csrf xsrf _csrf csrf_token',
  ].flatMap((list) => list.split(' ')),
)

const noted = new Set<string>()

/**
 * Notes a value, unless it could be an ordinary word. Writes it only in runs that search the logs: other tests use this
 * browser too.
 */
export function note(value: string): void {
  const file = environmentIfAny()?.secretsFile
  for (const part of partsOf(value)) {
    if (!isTelling(part) || noted.has(part)) continue
    noted.add(part)
    if (file !== undefined) appendFileSync(file, `${part}\n`)
  }
}

/** True for a user code, or for a text too long to be a word. */
function isTelling(part: string): boolean {
  return part.length >= 16 || /^[A-Z]{4}-[A-Z]{4}$/.test(part)
}

/**
 * Returns the secret parts of a value. The header of a JWT is no secret; of a URN only the part after the last colon is
 * one.
 */
function partsOf(value: string): string[] {
  const segments = value.split('.')
  if (value.startsWith('eyJ')) return segments.slice(1).filter((part) => part.length > 40)
  return [value.split(':').at(-1) as string]
}

export function noteForm(form: URLSearchParams): void {
  for (const [name, value] of form) if (names.has(name)) note(value)
}

export function noteHeaders(headers: Iterable<readonly [string, string]>): void {
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    if (name === 'dpop') note(value)
    if (name === 'authorization') note(value.replace(/^\S+ /, ''))
    if (name === 'cookie') for (const pair of value.split('; ')) note(pair.slice(pair.indexOf('=') + 1))
    if (name === 'set-cookie') note(value.slice(value.indexOf('=') + 1).replace(/;.*$/s, ''))
    if (name === 'location' && URL.canParse(value, 'http://localhost'))
      noteForm(new URL(value, 'http://localhost').searchParams)
  }
}

export function noteJson(body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  // In JSON, `code` is a problem code. An authorization code comes in an address or a form.
  for (const [name, value] of Object.entries(body))
    if (names.has(name) && name !== 'code' && typeof value === 'string') note(value)
}
