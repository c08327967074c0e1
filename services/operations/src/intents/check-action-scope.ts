/** Whoever asks for an action to be confirmed, or reads what became of it, holds the scope of the action itself. */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { ConfirmedAction } from './confirmed-actions.ts'

/** @throws Problem insufficient_scope */
export function checkActionScope({ scope }: ConfirmedAction, { scopes }: Pick<HandlerContext, 'scopes'>): void {
  if (scopes.includes(scope)) return
  throw new Problem('insufficient_scope', { detail: `The action needs the scope ${scope}.`, scope })
}
