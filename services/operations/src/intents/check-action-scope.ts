/** Requires the scope of the action itself from every client that asks for its confirmation or reads the result. */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { scopesOf } from '@financial-agents/contract/route'
import type { ConfirmedAction } from './confirmed-actions.ts'

/** @throws Problem insufficient_scope */
export function checkActionScope({ route }: ConfirmedAction, { scopes }: Pick<HandlerContext, 'scopes'>): void {
  const needed = scopesOf(route)
  const [scope] = needed
  if (scope === undefined || needed.some((one) => scopes.includes(one))) return
  throw new Problem('insufficient_scope', { detail: `The action needs the scope ${needed.join(' or ')}.`, scope })
}
