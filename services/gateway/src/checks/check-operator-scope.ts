/** The operator has the scope of the route: the console gave it to the token, by the groups of whoever signed in. */

import { Problem } from '@financial-agents/contract/problem'
import { scopesOf } from '@financial-agents/contract/route'
import { type Exchange, found } from '../exchange.ts'

export function checkOperatorScope(exchange: Exchange): void {
  const { scopes } = found(exchange.operatorToken)
  const wanted = exchange.row === null ? [] : scopesOf(exchange.row)
  if (!wanted.some((name) => scopes.has(name)))
    throw new Problem('insufficient_scope', { detail: `The operator does not have the scope ${wanted.join(', ')}.` })
}
