/**
 * The access token is an operator's: the console's key signed it, it has not expired, and it is bound to a DPoP key.
 */

import type { Dependencies } from '../dependencies.ts'
import { type Exchange, found } from '../exchange.ts'
import type { OperatorToken } from '../token-classes.ts'

export function checkOperatorToken(
  exchange: Exchange,
  { operatorTokens }: Pick<Dependencies, 'operatorTokens'>,
): void | Promise<void> {
  const token = operatorTokens.verify(found(exchange.presentedToken))
  if (token instanceof Promise) return keep(exchange, token)
  exchange.operatorToken = token
}

async function keep(exchange: Exchange, token: Promise<OperatorToken>): Promise<void> {
  exchange.operatorToken = await token
}
