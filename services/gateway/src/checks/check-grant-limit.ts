/**
 * The grant's request limit, which all replicas share. It is charged as soon as the sender is known to hold the grant.
 */

import { Problem } from '@financial-agents/contract/problem'
import type { Dependencies } from '../dependencies.ts'
import { type Exchange, found } from '../exchange.ts'

export function checkGrantLimit(exchange: Exchange, { limits }: Pick<Dependencies, 'limits'>): void {
  const retryAfterS = limits.take('grant', found(exchange.grant).grant_id)
  if (retryAfterS > 0) throw new Problem('rate_limited', { retryAfterS })
}
