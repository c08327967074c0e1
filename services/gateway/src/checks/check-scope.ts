/** The token has a scope of the route, and its grant still has it too. Of several, the service judges which are enough. */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'

export function checkScope(exchange: Exchange): void {
  const token = found(exchange.token).scopes
  const grant = found(exchange.grant).scopes
  const scope = exchange.row?.scope ?? ''
  if (typeof scope === 'string') {
    if (!token.has(scope) || !grant.includes(scope)) throw refusal([scope])
    return
  }
  exchange.scopes = grant.filter((granted) => token.has(granted))
  if (!scope.some((name) => exchange.scopes?.includes(name))) throw refusal(scope)
}

function refusal(scopes: readonly string[]): Problem {
  const which = scopes.length > 1 ? 'any of the scopes' : 'the scope'
  return new Problem('insufficient_scope', { detail: `The grant does not have ${which} ${scopes.join(', ')}.` })
}
