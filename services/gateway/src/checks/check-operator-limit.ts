/**
 * An operator's request limit, over all sessions and replicas. It is charged as soon as the sender is known to own the
 * token.
 */

import { Problem } from '@financial-agents/contract/problem'
import type { Dependencies } from '../dependencies.ts'
import { type Exchange, found } from '../exchange.ts'

export function checkOperatorLimit(exchange: Exchange, { limits }: Pick<Dependencies, 'limits'>): void {
  const retryAfterS = limits.take('operator', found(exchange.operatorToken).operator.id)
  if (retryAfterS > 0) throw new Problem('rate_limited', { retryAfterS })
}
