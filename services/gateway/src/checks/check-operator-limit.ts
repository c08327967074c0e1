/**
 * An operator's request limit, over all sessions and replicas. It is charged as soon as the sender is known to own the
 * token.
 */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'
import type { Parts } from '../parts.ts'

export function checkOperatorLimit(exchange: Exchange, { limits }: Pick<Parts, 'limits'>): void {
  const retryAfterS = limits.take('operator', found(exchange.operatorToken).operator.id)
  if (retryAfterS > 0) throw new Problem('rate_limited', { retryAfterS })
}
