/** The token has the scope of the route, and its grant still has it too. */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'

export function checkScope(exchange: Exchange): void {
  const scope = exchange.row?.scope as string
  if (!found(exchange.token).scopes.has(scope) || !found(exchange.grant).scopes.includes(scope))
    throw new Problem('insufficient_scope', { detail: `The grant does not have the scope ${scope}.` })
}
