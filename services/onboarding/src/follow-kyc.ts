/**
 * Reads the verification of connected owners when it is due, without anybody waiting for it: once a connection was made, and
 * from then on by the schedule of its state. What `GET /v1/onboarding` shows makes nothing due.
 */

import { Problem } from '@financial-agents/contract/problem'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import type { KycParts, KycReads } from './kyc-reads.ts'
import { recordKycResumed, recordKycUnreadable, takeDue } from './kyc-store.ts'

/** Fewer than there are connections to the provider: who waits for an answer goes first. */
const batch = 8

export type FollowParts = Pick<KycParts, 'db' | 'clock' | 'log'> & { reads: KycReads }

const resumePauseMs = 3_600_000

export function startFollowing(parts: FollowParts & { pauseMs: number }): Repeating[] {
  const { db, clock, log, pauseMs } = parts
  return [
    repeat({ name: 'follow_kyc', pauseMs, log, work: () => followDue(parts) }),
    repeat({ name: 'resume_kyc', pauseMs: resumePauseMs, log, work: () => recordKycResumed(db, clock.now()) }),
  ]
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
      // What the provider refuses it goes on to refuse, mostly; all else is read again in a minute.
      if (error.code === 'provider_connection_unavailable') await recordKycUnreadable(db, ownerId, clock.now())
    }
  }
  await Promise.all(
    due.flatMap(({ owner_id, binding_id }) => (binding_id === null ? [] : [read(owner_id, binding_id)])),
  )
  if (failures.length > 0) log.warn({ err: failures[0], owners: failures.length }, 'verifications were not read')
  return due.length === batch && failures.length === 0
}
