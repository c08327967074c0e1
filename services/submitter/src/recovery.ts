/**
 * Finds operations that a lost attempt may have submitted. A restore can lose the record of an attempt (write protocol, rule 5).
 *
 * Invariant: an operation counts if its id was generated before the recovery point, even if it was accepted later. Such an
 * operation may have waited for an approval when the backup was made, and been accepted and sent in the lost time. After the
 * restore it is accepted again under the same id, which is the reference that the provider knows.
 */

import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { generatedAtMs } from '@financial-agents/runtime/generated-at'

/** True if the operation may have been sent before `recoveryPoint`. */
export function isFromBefore(
  recoveryPoint: Date,
  { operation_id, accepted_at }: Pick<AcceptedOperation, 'operation_id' | 'accepted_at'>,
): boolean {
  return Math.min(Date.parse(accepted_at), generatedAtMs(operation_id)) < recoveryPoint.getTime()
}
