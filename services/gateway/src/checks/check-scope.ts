/**
 * The token has a scope of the route, and its grant still has that scope. If there are several, the service checks the
 * rest.
 */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'

export function checkScope(exchange: Exchange): void {
  const token = found(exchange.token).scopes
  const grant = found(exchange.grant).scopes
  const scope = exchange.row?.scope ?? ''
  if (typeof scope !== 'string' || exchange.row?.policy) exchange.scopes = grant.filter((name) => token.has(name))
  const wanted = typeof scope === 'string' ? [scope] : scope
  if (!wanted.some((name) => token.has(name) && grant.includes(name))) throw refusal(wanted)
}

function refusal(scopes: readonly string[]): Problem {
  const which = scopes.length > 1 ? 'any of the scopes' : 'the scope'
  return new Problem('insufficient_scope', { detail: `The grant does not have ${which} ${scopes.join(', ')}.` })
}
