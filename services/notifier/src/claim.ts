/** Takes what is due, host after host in turns: where slots run out, whoever got none is first next time. */

import { randomUUID } from 'node:crypto'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { type Claimed, claimDeliveries, listWaitingHosts } from './claim-store.ts'
import type { HostSlots } from './host-slots.ts'

const hostsAtOnce = 256
const leaseMs = 60_000
/** For the record of what became of it. */
const marginMs = 10_000

export type Hand = {
  claimed: Claimed[]
  leaseId: string
  /** Monotonic: nothing is sent any more from then on, for its lease may end before the exchange does. */
  sendBeforeMs: number
  /** Other hosts wait to be looked at. */
  more: boolean
}

export function createClaim(parts: { db: Queryable; clock: Clock; slots: HostSlots; timeoutMs: number }) {
  const { db, clock, slots } = parts
  let lastHost = ''
  return async (): Promise<Hand> => {
    const now = clock.now()
    const sendBeforeMs = performance.now() + leaseMs - parts.timeoutMs - marginMs
    const hosts = await listWaitingHosts(db, lastHost, hostsAtOnce)
    const due = hosts.filter(({ next_attempt_at }) => next_attempt_at <= now).map(({ host }) => host)
    const { rooms, enough } = slots.roomsFor(due)
    const leaseId = randomUUID()
    const until = new Date(now.getTime() + leaseMs)
    const claimed = await claimDeliveries(db, rooms, now, { id: leaseId, until })
    for (const { host } of claimed) slots.take(host)
    if (!enough) lastHost = rooms.at(-1)?.host ?? lastHost
    else lastHost = hosts.length < hostsAtOnce ? '' : (hosts.at(-1)?.host ?? '')
    return { claimed, leaseId, sendBeforeMs, more: claimed.length > 0 || (enough && lastHost !== '') }
  }
}
