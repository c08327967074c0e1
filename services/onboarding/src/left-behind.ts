/**
 * Finds connections that have been ending for so long that their owner need not wait any longer. Their revoke has been
 * sent once and is never sent again, and an unanswered revoke has had time to arrive. It therefore cannot end a
 * connection that is made now. A revoke that is still to be sent would also end the new connection at the provider, so
 * that owner waits.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import type { MessageContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { holdsPayload } from '@financial-agents/contract/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'

/** By this time, six reads have been made to prove the outcome of the revoke. */
const waitMs = 10 * 60_000

export const endingOfOwner = statement(
  'onboarding_ending_of_owner',
  `SELECT id, pending_operation_id FROM bindings
   WHERE owner_id = $1 AND status = 'disconnecting' AND disconnecting_at <= $2`,
)

/** Returns the ids of their bindings. The set is empty if operations cannot answer. */
export async function findLeftBehind(
  { db, bus, clock, log }: { db: Queryable; bus: Bus; clock: Clock; log: Log },
  ownerId: string,
  context: MessageContext,
): Promise<ReadonlySet<string>> {
  const before = new Date(clock.nowMs() - waitMs)
  const rows = await db.rows<{ id: string; pending_operation_id: string }>(endingOfOwner, [ownerId, before])
  if (rows.length === 0) return new Set()
  try {
    const asked = { operation_ids: rows.map((row) => row.pending_operation_id) }
    const decisions = await call(bus, 'int.operations.decide', asked, context)
    const sent = decisions.filter(({ state }) => state !== 'void' && !holdsPayload(state))
    const ids = new Set(sent.map(({ operation_id }) => operation_id))
    return new Set(rows.filter((row) => ids.has(row.pending_operation_id)).map((row) => row.id))
  } catch (error) {
    if (!isUnanswered(error)) throw error
    log.warn({ err: error }, 'whether a disconnect was sent is not known; its owner waits')
    return new Set()
  }
}
