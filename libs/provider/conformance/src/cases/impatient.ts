/**
 * Submissions whose caller gives up before the answer. On a slow machine the caller may give up before the request has
 * arrived, which says nothing about the adapter. Such a submission is repeated as a new one, with a longer time-out.
 */

import assert from 'node:assert/strict'
import type { Submission } from '@financial-agents/provider-port/port'
import type { ConformanceFault, ConformanceHarness } from './harness.ts'

/** The first time-out is long enough on most machines. */
const timeoutsMs = [1_500, 6_000, 24_000, 96_000]

/**
 * Submits new submissions with this fault until one has arrived, and returns it with the time-out of `newSubmission`. The
 * outcome of each must be uncertain, or unsent if it has not arrived.
 */
export async function submitImpatiently(
  { provider, order, countArrivals }: Pick<ConformanceHarness, 'provider' | 'order' | 'countArrivals'>,
  fault: ConformanceFault,
  newSubmission: () => Promise<Submission>,
): Promise<{ submission: Submission; outcome: Awaited<ReturnType<typeof provider.submit>> }> {
  for (const timeoutMs of timeoutsMs) {
    const submission = await newSubmission()
    await order(fault, submission.reference)
    const outcome = await provider.submit({ ...submission, timeoutMs })
    const hasArrived = (await countArrivals(submission.reference)) > 0
    if (hasArrived || outcome.type !== 'unsent') assert.equal(outcome.type, 'uncertain', JSON.stringify(outcome))
    if (hasArrived) return { submission, outcome }
  }
  return assert.fail(`no request has arrived within ${timeoutsMs.at(-1)} ms`)
}
