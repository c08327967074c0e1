/** Only the expectation `100-continue` is supported (RFC 9110 §10.1.1). HTTP/1.0 has no expectations. */

import { Problem } from '@financial-agents/contract/problem'
import type { Exchange } from '../exchange.ts'

export function checkExpectation({ headers, request }: Exchange): void {
  const { expect, repeated } = headers
  if (expect === undefined || request.httpVersion === '1.0') return
  if (expect.toLowerCase() !== '100-continue' || repeated.includes('expect')) throw new Problem('expectation_failed')
}
