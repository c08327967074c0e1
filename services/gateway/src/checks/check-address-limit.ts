/** Requests without credentials are limited by the client's address. */

import { Problem } from '@financial-agents/contract/problem'
import { addressKey } from '../address-key.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Exchange } from '../exchange.ts'

export function checkAddressLimit(exchange: Exchange, { limits }: Pick<Dependencies, 'limits'>): void {
  const retryAfterS = limits.take('address', addressKey(exchange.address()))
  if (retryAfterS > 0) throw new Problem('rate_limited', { retryAfterS })
}
