/**
 * Reads the verification of owners whose row is due, without anybody waiting for it: after a connection was made, while a
 * verification is under way that somebody asked about, and where what `GET /v1/onboarding` showed was not fresh.
 */

import { Problem } from '@financial-agents/contract/problem'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import { repeat, type Wakeable } from '@financial-agents/runtime/repeat'
import { followMs, type KycParts, type KycReads } from './kyc-reads.ts'
import { type Kyc, recordKycFollowed, recordKycUnreadable, recordKycWish, type Standing, takeDue } from './kyc-store.ts'
import { isUnderWay } from './kyc-words.ts'

/** Fewer than there are connections to the provider: who waits for an answer goes first. */
const batch = 8

export type FollowParts = Pick<KycParts, 'db' | 'clock' | 'log'> & { reads: KycReads }

export function startFollowing(parts: FollowParts & { pauseMs: number }): Wakeable {
  return repeat({ name: 'follow_kyc', pauseMs: parts.pauseMs, log: parts.log, work: () => followDue(parts) })
}

/** Exported for the tests of its guarantees. True where more may be due, and the provider answers. */
export async function followDue({ db, clock, log, reads }: FollowParts): Promise<boolean> {
  const due = await takeDue(db, clock.now(), batch)
  const failures: Problem[] = []
  const read = async (ownerId: string, bindingId: string) => {
    try {
      await reads.refresh({ ownerId, bindingId, traceparent: traceparentOrNew(undefined) })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failures.push(error)
      // What the provider refuses stays refused until the owner connects again; all else is read again in a minute.
      if (error.code === 'provider_connection_unavailable') await recordKycUnreadable(db, ownerId)
    }
  }
  await Promise.all(
    due.flatMap(({ owner_id, binding_id }) => (binding_id === null ? [] : [read(owner_id, binding_id)])),
  )
  if (failures.length > 0) log.warn({ err: failures[0], owners: failures.length }, 'verifications were not read')
  return due.length === batch && failures.length === 0
}

const underWayStaleMs = 10_000
const openStaleMs = 60_000
const verifiedStaleMs = 10 * 60_000

/** Notes that somebody was shown what is stored, where it is not fresh. True where that is to be followed at once. */
export async function recordShown(
  { db, clock }: Pick<KycParts, 'db' | 'clock'>,
  ownerId: string,
  { binding, kyc }: Standing,
): Promise<boolean> {
  if (binding?.status !== 'connected' || (kyc && kyc.due_at !== null)) return false
  if (kyc?.binding_id === binding.id && clock.nowMs() - Number(kyc.read_at) < staleAfterMs(kyc)) return false
  const now = clock.now()
  if (kyc && isUnderWay(kyc.status)) await recordKycFollowed(db, ownerId, new Date(now.getTime() + followMs), now)
  else await recordKycWish(db, ownerId, now)
  return true
}

function staleAfterMs({ status }: Kyc): number {
  if (status === 'verified') return verifiedStaleMs
  return isUnderWay(status) ? underWayStaleMs : openStaleMs
}
