/**
 * Tells if the end of a connection is in force: the gateways have been notified and the submitter has committed the fence
 * (write protocol, rules 8 and 18). It sends both at once instead of at the next background job of the outbox. If it gives up,
 * the outbox continues.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { callUntilAnswered } from '@financial-agents/bus/call-until-answered'
import type { Bus } from '@financial-agents/bus/connect'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import {
  type Announcement,
  listToAnnounceOf,
  listToFenceOf,
  recordAnnounced,
  recordFenced,
  type ToFence,
} from './announcements-store.ts'
import { isConnected } from './bindings-store.ts'

export type EndDependencies = { db: Queryable; bus: Bus; clock: Clock; log: Log }

const pauseMs = 50

const endedByOwner = 'its owner ended the connection'
/** The reason of the fence of a binding that its owner did not end. */
export const registeredAway = 'the connection is no longer declared'

/** Called after the end of the connection is accepted. Gives up after about `patienceMs`, and never throws. */
export async function endIsKnown(
  dependencies: EndDependencies,
  bindingId: string,
  patienceMs: number,
): Promise<boolean> {
  const { db, log } = dependencies
  const endsAt = performance.now() + patienceMs
  const leftMs = () => Math.max(1, Math.floor(endsAt - performance.now()))
  try {
    // operations has accepted the end, but this service may not have applied it yet.
    while (await isConnected(db, bindingId)) {
      if (leftMs() <= pauseMs) return false
      await delay(pauseMs)
    }
    const [toFence, toAnnounce] = await Promise.all([listToFenceOf(db, bindingId), listToAnnounceOf(db, bindingId)])
    await Promise.all([
      ...toFence.map((row) => settleFence(dependencies, row, leftMs())),
      ...toAnnounce.map((row) => settleAnnouncement(dependencies, row, leftMs())),
    ])
    return true
  } catch (error) {
    log.warn(
      { err: error, binding_id: bindingId },
      'it is not known whether the end of a connection is announced and fenced',
    )
    return false
  }
}

/** Sends the fence to the submitter and records its confirmation. A binding's fence is never lifted, so it has only one version. */
export async function settleFence(
  { db, bus, clock, log }: EndDependencies,
  row: ToFence,
  patienceMs: number,
): Promise<void> {
  const fence = { target: 'binding', target_id: row.binding_id, version: 1 } as const
  const request = { ...fence, reason: row.by_owner ? endedByOwner : registeredAway }
  failpoint('fence.before_send')
  const { open_operation_ids } = await callUntilAnswered(bus, 'int.submitter.fence', request, patienceMs)
  failpoint('fence.after_send')
  log.info({ binding_id: row.binding_id, open_operation_ids }, 'a binding was fenced')
  await recordFenced(db, row.id, clock.now())
  failpoint('fence.after_commit')
}

/** Sends the change to authz, which answers after the feed to the gateways has it, and records the answer. */
export async function settleAnnouncement(
  { db, bus, clock }: EndDependencies,
  { id, owner_id }: Announcement,
  patienceMs: number,
): Promise<void> {
  failpoint('announce.before_send')
  await callUntilAnswered(bus, 'int.authz.owner-changed', { owner_id }, patienceMs)
  failpoint('announce.after_send')
  await recordAnnounced(db, id, clock.now())
  failpoint('announce.after_commit')
}
