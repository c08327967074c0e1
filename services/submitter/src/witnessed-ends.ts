/**
 * Ends of authority outside PostgreSQL. A fence, and its return, is answered only once the log has it: a database that goes back in time
 * loses the fence, and `recover` sets it again.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { UnfenceRequest } from '@financial-agents/bus/messages/authority'
import type { WitnessedEnd } from '@financial-agents/bus/messages/witness'

/** @throws NoStream or Unavailable: the caller repeats its request until it is answered */
export function witnessEnd(
  { registers }: Pick<Bus, 'registers'>,
  { target, target_id, version }: UnfenceRequest,
  reason: string | null,
  at: Date,
): Promise<void> {
  const end: WitnessedEnd = { target, target_id, version, reason, at: at.toISOString() }
  return registers.append(`witnessed.ends.${target}.${Buffer.from(target_id).toString('base64url')}`, end)
}
