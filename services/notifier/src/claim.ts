/**
 * Takes due deliveries, host after host in turns. If the slots run out, the next turn starts with the first host that
 * got none.
 */

import { randomUUID } from 'node:crypto'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { type Claimed, claimDeliveries, listWaitingHosts } from './claim-store.ts'
import type { HostSlots } from './host-slots.ts'

const hostsAtOnce = 256
const leaseMs = 60_000
/** Time to record the result. */
const marginMs = 10_000

export type Hand = {
  claimed: Claimed[]
  leaseId: string
  /** Monotonic time after which nothing more is sent, because the lease might end before the exchange does. */
  sendBeforeMs: number
  /** More hosts wait for their turn. */
  more: boolean
}

export function createClaim(dependencies: { db: Queryable; clock: Clock; slots: HostSlots; timeoutMs: number }) {
  const { db, clock, slots } = dependencies
  let lastHost = ''
  return async (): Promise<Hand> => {
    const now = clock.now()
    const sendBeforeMs = performance.now() + leaseMs - dependencies.timeoutMs - marginMs
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
