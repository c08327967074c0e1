/**
 * What may have been submitted by an attempt whose record a restore has lost (write protocol, rule 5).
 *
 * Invariant: an operation whose id was minted before the recovery point counts, whenever it was accepted. One that waited
 * for an approval or for its area when the backup was made may have been accepted and sent in the time that was lost, and
 * comes again with a new time of acceptance under the same id, which is the reference that the provider knows.
 */

import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { mintedAtMs } from '@financial-agents/runtime/minted-at'

/** Whether it may have been sent before `recoveryPoint`. Nothing may where there was no restore. */
export function isFromBefore(
  recoveryPoint: Date | undefined,
  { operation_id, accepted_at }: Pick<AcceptedOperation, 'operation_id' | 'accepted_at'>,
): boolean {
  if (recoveryPoint === undefined) return false
  return Math.min(Date.parse(accepted_at), mintedAtMs(operation_id)) < recoveryPoint.getTime()
}
