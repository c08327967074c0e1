/** The summary that an owner reads before an action: its text, and the facts behind it. */

import type { MessageContext } from '@financial-agents/bus/headers'
import type { OwnerFact } from '@financial-agents/bus/messages/intents'
import type { Principal } from '@financial-agents/contract/principal'
import type { Route, RouteInput } from '@financial-agents/contract/route'
import type { ConfirmationFact } from '@financial-agents/contract/schemas/confirmation-intent'
import type { Asking } from '../asking.ts'

/** The request to confirm, parsed as its route parses it. */
export type ConfirmableRequest<R extends Route> = Pick<RouteInput<R>, 'params' | 'body'> & {
  principal: Principal
  context: MessageContext
}

export type Summary = {
  /** The action in our own words. It contains no names. */
  opening: string
  /** The client's facts name no other application. The owner's facts do. */
  facts: { client: OwnerFact[] | ConfirmationFact[]; owner: OwnerFact[] }
  /** Facts that repeat data meant for the provider alone. They are stored sealed, and only while the intent is open. */
  quoted?: ConfirmationFact[]
}

/**
 * Returns everything that the owner needs to read to decide.
 * @throws Problem validation_failed if the request names something that its client cannot see
 */
export type Summarise<R extends Route> = (asked: ConfirmableRequest<R>, asking: Asking) => Promise<Summary>
