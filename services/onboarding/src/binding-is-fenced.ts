/**
 * Whether the end of a connection may be told to its owner: only once the submitter has committed the fence of it (write
 * protocol, rule 8). Asks at once rather than at the outbox's next look, which goes on where this gives up.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Announcement, listToFenceOf, recordFenced } from './announcements-store.ts'

export type FenceParts = { db: Queryable; bus: Bus; clock: Clock; log: Log }

/** Called after the binding has left `connected`, with which its fence is in the outbox; never throws. */
export async function bindingIsFenced(parts: FenceParts, bindingId: string, patienceMs: number): Promise<boolean> {
  const { db, clock, log } = parts
  try {
    for (const row of await listToFenceOf(db, bindingId)) {
      await sendFence(parts, row, patienceMs)
      await recordFenced(db, row.id, clock.now())
    }
    return true
  } catch (error) {
    log.warn({ err: error, binding_id: bindingId }, 'it is not known whether a binding is fenced')
    return false
  }
}

export async function sendFence(
  { bus, log }: Pick<FenceParts, 'bus' | 'log'>,
  row: Announcement,
  patienceMs: number,
): Promise<void> {
  const request = { target: 'binding', target_id: row.binding_id, reason: 'the connection was removed' } as const
  const { open_operation_ids } = await call(bus, 'int.submitter.fence', request, newContext(patienceMs))
  log.info({ binding_id: row.binding_id, open_operation_ids }, 'a binding was fenced')
}
