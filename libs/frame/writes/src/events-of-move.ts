/**
 * Translates the moves of a write into events for the machine of its resource. The events are named by the action, for
 * example `freeze_accepted`.
 */

import type { Move } from './write.ts'

/** The events that one action causes for a resource. `failed` stands for cancelled operations too. */
export type ActionEvent<Action extends string> = 'create_voided' | `${Action}_${'accepted' | 'succeeded' | 'failed'}`

/**
 * Returns the events in their order. If acceptance was not known before an outcome, an `accepted` event comes first. A
 * voided change and the removal of a row cause no event, because the resource never showed them.
 */
export function eventsOfMove<Action extends string>(action: Action, { to, was }: Move): ActionEvent<Action>[] {
  if (to === 'gone') return []
  if (to === 'void') return action === 'create' ? ['create_voided'] : []
  const accepted: ActionEvent<Action>[] = was === 'accepted' ? [] : [`${action}_accepted`]
  if (to === 'accepted') return accepted
  return [...accepted, to === 'succeeded' ? `${action}_succeeded` : `${action}_failed`]
}
