/** The request limit of an operator, whatever session and replica: charged as soon as the token is known to be the sender's. */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'
import type { Parts } from '../parts.ts'

export function checkOperatorLimit(exchange: Exchange, { limits }: Pick<Parts, 'limits'>): void {
  const retryAfterS = limits.take('operator', found(exchange.operatorToken).operator.id)
  if (retryAfterS > 0) throw new Problem('rate_limited', { retryAfterS })
}
