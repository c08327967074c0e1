/** What a move of a write says to the machine of its resource: events named by the action, `freeze_accepted`. */

import type { Move } from './write.ts'

/** What happens to a resource by one action. `failed` is also said of what was cancelled. */
export type ActionEvent<Action extends string> = 'create_voided' | `${Action}_${'accepted' | 'succeeded' | 'failed'}`

/**
 * The events in their order: an outcome says too that the operation was accepted, where that was not known. None where nothing
 * was ever seen of it: a change that is void, a row that goes for good.
 */
export function eventsOfMove<Action extends string>(action: Action, { to, was }: Move): ActionEvent<Action>[] {
  if (to === 'gone') return []
  if (to === 'void') return action === 'create' ? ['create_voided'] : []
  const accepted: ActionEvent<Action>[] = was === 'accepted' ? [] : [`${action}_accepted`]
  if (to === 'accepted') return accepted
  return [...accepted, to === 'succeeded' ? `${action}_succeeded` : `${action}_failed`]
}
