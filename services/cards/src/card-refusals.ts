/** The problems with which a card refuses a change. The machine decides what is legal; this file names the refusals. */

import { Problem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { type CardChange, isUnsettled, type Standing, validateBeginning } from './card-machine.ts'

/** Returns undefined if nothing refuses. Busy is validated before the card's state. */
export function findRefusal(change: CardChange, card: Standing): Problem | undefined {
  const result = validateBeginning(change, card)
  if (result === 'busy') return new Problem('resource_busy', { detail: adviceOf(card) })
  return result === 'legal' ? undefined : new Problem(codeOf(change, card))
}

/** Advises the client about the operation that has to settle first. */
function adviceOf({ changes }: Standing): string {
  const unsettled = new Set(changes.filter(isUnsettled).map(({ action }) => action))
  if (unsettled.size === 0)
    return 'The card is still being made. Follow its operation; send this with a new key afterwards.'
  const follow = 'Follow `pending_operation_id` of GET /v1/cards/{card_id}'
  if (unsettled.has('close')) return `The card is being closed. ${follow}; nothing else is accepted meanwhile.`
  const meanwhile = unsettled.has('freeze') ? 'Closing the card is' : 'Freezing and closing the card are'
  return `An earlier change of the card is not settled. ${follow}; send this with a new key afterwards. ${meanwhile} accepted meanwhile.`
}

function codeOf(change: CardChange, { state }: Standing): ProblemCode {
  if (change === 'unfreeze') return 'card_not_frozen'
  return change === 'close' && state === 'closed' ? 'card_already_closed' : 'card_not_active'
}
