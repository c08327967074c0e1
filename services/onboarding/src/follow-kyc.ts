/**
 * Reads the verification of connected owners when a read is due and no client waits: once after a connection is made,
 * and then by the schedule of its state. `GET /v1/onboarding` makes no read due.
 */

import { Problem } from '@financial-agents/contract/problem'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import type { KycDependencies, KycReads } from './kyc-reads.ts'
import { recordKycUnreadable, takeDue } from './kyc-store.ts'

/** Small enough to leave connections to the provider free for requests with a waiting client. */
const batch = 8

export type FollowDependencies = Pick<KycDependencies, 'db' | 'clock' | 'log'> & { reads: KycReads }

export function startFollowing(dependencies: FollowDependencies & { pauseMs: number }): Repeating {
  const { log, pauseMs } = dependencies
  return repeat({ name: 'follow_kyc', pauseMs, log, work: () => followDue(dependencies) })
}

/** Exported for tests. Returns true if more may be due and the provider answers. */
export async function followDue({ db, clock, log, reads }: FollowDependencies): Promise<boolean> {
  const due = await takeDue(db, clock.now(), batch)
  const failures: Problem[] = []
  const read = async (ownerId: string, bindingId: string) => {
    try {
      await reads.refresh({ ownerId, bindingId, traceparent: traceparentOrNew(undefined) })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failures.push(error)
      // A refusal usually lasts, so the next read is far off. Any other failure is retried in a minute.
      if (error.code === 'provider_connection_unavailable') await recordKycUnreadable(db, ownerId, clock.now())
    }
  }
  await Promise.all(
    due.flatMap(({ owner_id, binding_id }) => (binding_id === null ? [] : [read(owner_id, binding_id)])),
  )
  if (failures.length > 0) log.warn({ err: failures[0], owners: failures.length }, 'verifications were not read')
  return due.length === batch && failures.length === 0
}
