/** A keyed write names its key, once, in 16 to 200 printable ASCII characters. */

import { Problem } from '@financial-agents/contract/problem'
import type { Exchange } from '../exchange.ts'

const key = /^[\x20-\x7e]{16,200}$/

export function checkIdempotencyKey({ headers }: Exchange): void {
  if (headers.idempotencyKey === undefined) throw refusal('This route needs an Idempotency-Key header.')
  if (headers.repeated.includes('idempotencyKey')) throw refusal('Send one Idempotency-Key header.')
  if (!key.test(headers.idempotencyKey)) throw refusal('The key has 16 to 200 printable ASCII characters.')
}

function refusal(message: string): Problem {
  const fields = [{ path: 'Idempotency-Key', message }]
  return new Problem('validation_failed', { detail: `Idempotency-Key: ${message}`, fields })
}
