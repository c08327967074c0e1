/** A keyed write has exactly one key of 16 to 200 printable ASCII characters. */

import { Problem } from '@financial-agents/contract/problem'
import type { Exchange } from '../exchange.ts'

const identifier = /^[\x20-\x7e]{16,200}$/

export function checkIdempotencyKey({ headers }: Exchange): void {
  checkIdentifierHeader(headers, 'Idempotency-Key', 'idempotencyKey')
}

/** @throws Problem validation_failed that names the header */
export function checkIdentifierHeader(
  headers: Exchange['headers'],
  name: string,
  member: 'idempotencyKey' | 'confirmationIntentId',
): void {
  const value = headers[member]
  if (value === undefined) throw refusal(name, `This route needs the header ${name}.`)
  if (headers.repeated.includes(member)) throw refusal(name, `Send one ${name} header.`)
  if (!identifier.test(value)) throw refusal(name, 'Send 16 to 200 printable ASCII characters.')
}

function refusal(name: string, message: string): Problem {
  return new Problem('validation_failed', { detail: `${name}: ${message}`, fields: [{ path: name, message }] })
}
