/** The common part of kinds that create their resource. The resource's id is the `resource_id` of the write. */

import type { Draft, Move } from './write.ts'

/** The rows of the drafted resources: the columns of the input, and those that every resource takes from its write. */
export function createdRows<Input extends object>(drafts: readonly Draft<Input>[]) {
  return drafts.map(({ resource_id: id, operation_id, owner_id, client_id, input }) => ({
    ...input,
    id,
    operation_id,
    owner_id,
    client_id,
  }))
}

/** The ids of the resources whose void writes were deleted. Nothing refers to these resources any more. */
export function goneResources(moves: readonly Move[]): string[] {
  return moves.filter(({ to }) => to === 'gone').map(({ resource_id }) => resource_id)
}
