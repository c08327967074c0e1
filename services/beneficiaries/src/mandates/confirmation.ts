/** The owner's confirmation that a request named. Operations consumes it with the acceptance. */

import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import type { HandlerContext } from '@financial-agents/bus/rpc'

export function confirmationOf(
  action: 'mandate_create' | 'mandate_revoke',
  { confirmation: { intent_id } }: Pick<HandlerContext, 'confirmation'>,
): AcceptRequest['confirmation'] {
  return intent_id === null ? null : { action, intent_id }
}
