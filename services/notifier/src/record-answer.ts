/**
 * Records an answer for the delivery and its subscription, in one transaction. Only the process that still holds the
 * lease records.
 */

import type { Answer } from './attempt.ts'
import type { Deliverable } from './authority.ts'
import { type Result, recordResults } from './claim-store.ts'
import type { Dependencies } from './dependencies.ts'
import { recordEndpointFailing, recordEndpointHealthy } from './endpoint-health.ts'
import { noteAttempt } from './measure.ts'
import { retryDelayMs } from './retries.ts'

const gone = 410

export async function recordAnswer(
  { db, clock, log }: Pick<Dependencies, 'db' | 'clock' | 'log'>,
  leaseId: string,
  { id, attempts, subscription }: Deliverable,
  answer: Answer,
): Promise<void> {
  const now = clock.now()
  const disabled = await db.transaction(async (tx) => {
    if (isSuccess(answer)) {
      await recordResults(tx, leaseId, [{ id, status: 'delivered', attempt: answer, nextAttemptAt: null }])
      await recordEndpointHealthy(tx, subscription.id)
      return null
    }
    const failure = { subscriptionId: subscription.id, gone: answer.statusCode === gone, now }
    const reason = await recordEndpointFailing(tx, failure)
    await recordResults(tx, leaseId, [failedResult(id, attempts + 1, answer, reason === null ? now : null)])
    return reason
  })
  noteAttempt(answer, disabled !== null)
  if (disabled) log.info({ subscription_id: subscription.id, reason: disabled }, 'a webhook subscription was disabled')
}

/** @param from the start of the pause before the next attempt; null if there is no next attempt */
export function failedResult(id: string, attempts: number, answer: Answer, from: Date | null): Result {
  const delayMs = retryDelayMs(attempts, Math.random())
  if (!from || delayMs === undefined) return { id, status: 'failed', attempt: answer, nextAttemptAt: null }
  return { id, status: 'pending', attempt: answer, nextAttemptAt: new Date(from.getTime() + delayMs) }
}

export function isSuccess({ statusCode }: Answer): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300
}
