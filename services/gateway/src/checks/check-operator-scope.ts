/**
 * The operator's token has a scope of the route. The console put it into the token, by the groups of the signed-in
 * person.
 */

import { Problem } from '@financial-agents/contract/problem'
import { scopesOf } from '@financial-agents/contract/route'
import { type Exchange, found } from '../exchange.ts'

export function checkOperatorScope(exchange: Exchange): void {
  const { scopes } = found(exchange.operatorToken)
  const wanted = exchange.row === null ? [] : scopesOf(exchange.row)
  if (!wanted.some((name) => scopes.has(name)))
    throw new Problem('insufficient_scope', { detail: `The operator does not have the scope ${wanted.join(', ')}.` })
}
