/**
 * Sends the rows of the outbox until each is confirmed: the fence of a binding to the submitter, and the owner's change
 * to authz. The two are sent independently, so that an outage of one service does not delay the other.
 *
 * Invariant: a row is marked only after the other service has answered. Both calls are idempotent, so two replicas may
 * repeat the same row.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { NoResponders } from '@financial-agents/bus/errors'
import type { Queryable } from '@financial-agents/postgres/database'
import { observeOutboxes } from '@financial-agents/postgres/outbox-figures'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { repeat, type Wakeable } from '@financial-agents/runtime/repeat'
import { type Announcement, listToAnnounce, listToFence, outboxes, type ToFence } from './announcements-store.ts'
import { settleAnnouncement, settleFence } from './known-end.ts'

export type AnnounceDependencies = { db: Queryable; bus: Bus; log: Log; clock: Clock; pauseMs: number }

const batch = 100
const callTimeoutMs = 3_000

export function startAnnouncing(dependencies: AnnounceDependencies): Wakeable[] {
  const { db, clock, log, pauseMs } = dependencies
  observeOutboxes({ db, clock, outboxes })
  const fencing = {
    list: () => listToFence(db, batch),
    send: (row: ToFence) => settleFence(dependencies, row, callTimeoutMs),
  }
  const announcing = {
    list: () => listToAnnounce(db, batch),
    send: (row: Announcement) => settleAnnouncement(dependencies, row, callTimeoutMs),
  }
  return [
    repeat({ name: 'fence', pauseMs, log, work: sendAll('fence', fencing, log) }),
    repeat({ name: 'announce', pauseMs, log, work: sendAll('announce', announcing, log) }),
  ]
}

type Outbox<Row> = { list: () => Promise<Row[]>; send: (row: Row) => Promise<void> }

/** Sends one batch of the outbox. A lasting failure is logged when it begins, not at every attempt. */
function sendAll<Row>(name: string, outbox: Outbox<Row>, log: Log): () => Promise<boolean> {
  let failing = false
  return async () => {
    const rows = await outbox.list()
    let failed = false
    for (const row of rows) {
      try {
        await outbox.send(row)
      } catch (error) {
        if (!failing && !failed) log.warn({ err: error, job: name }, 'not confirmed yet; it is repeated')
        failed = true
        if (error instanceof NoResponders) break
      }
    }
    failing = failed
    return !failed && rows.length === batch
  }
}
