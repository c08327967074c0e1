/** The request id of the contract: the client's if it is safe to repeat, otherwise a new one. */

import { randomUUID } from 'node:crypto'
import type { RequestHeaders } from './request-headers.ts'

const safe = /^[A-Za-z0-9._~-]{8,128}$/

export function requestIdOf(headers: RequestHeaders): string {
  const given = headers.requestId
  if (given !== undefined && safe.test(given) && !headers.repeated.includes('requestId')) return given
  return randomUUID()
}
