/** Cases of submissions whose outcome is in doubt, and of the lookups that follow. */

import assert from 'node:assert/strict'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Submission } from '@financial-agents/provider-port/port'
import { checkFailure, checkFound, checkSilent, lookupOf } from './checks.ts'
import type { ConformanceCase, ConformanceFault, ConformanceHarness } from './harness.ts'
import { submitImpatiently } from './impatient.ts'

const patientMs = 60_000

export function doubtCases(kind: OperationKind): readonly ConformanceCase[] {
  const inDoubt = (fault: ConformanceFault, name: string, run: DoubtRun): ConformanceCase => ({
    name: `${kind}: ${name}`,
    needs: [fault],
    run: (harness) => run(harness, kind, fault),
  })
  return [
    inDoubt('drop_reply', 'a lost answer is uncertain, and a read by our reference alone proves it', executed),
    inDoubt('slow', 'an answer that comes too late is uncertain, and a read proves it', executed),
    inDoubt('error_reply', 'a failure inside the provider is uncertain, and a read proves what it executed', executed),
    inDoubt(
      'garble_reply',
      'an answer that nobody can read is uncertain, and a read proves what it executed',
      executed,
    ),
    inDoubt('drop_request', 'a request that was lost is as uncertain, and not found', unexecuted),
    inDoubt(
      'error_only',
      'a failure inside the provider that executed nothing is as uncertain, and not found',
      unexecuted,
    ),
  ]
}

type DoubtRun = (harness: ConformanceHarness, kind: OperationKind, fault: ConformanceFault) => Promise<void>

/** The provider executed it, and the caller cannot know. */
const executed: DoubtRun = async (harness, kind, fault) => {
  const submission = await submitInDoubt(harness, kind, fault)
  const found = await harness.provider.lookup({ ...lookupOf(submission), timeoutMs: patientMs })
  checkFound(found, 'succeeded')
  checkSilent(found, submission)
  if (kind === 'card_create') assert.match(found.resource?.['last_four'] ?? '', /^\d{4}$/)
}

/** The provider executed nothing, and the caller cannot know. */
const unexecuted: DoubtRun = async (harness, kind, fault) => {
  const submission = await submitInDoubt(harness, kind, fault)
  const result = await harness.provider.lookup({ ...lookupOf(submission), target: submission.target })
  assert.equal(result.type, 'not_found', JSON.stringify(result))
}

async function submitInDoubt(harness: ConformanceHarness, kind: OperationKind, fault: ConformanceFault) {
  const { submission, outcome } =
    fault === 'slow'
      ? await submitImpatiently(harness, fault, () => harness.newSubmission(kind))
      : await submitOnce(harness, fault, await harness.newSubmission(kind))
  assert.equal(outcome.type, 'uncertain', JSON.stringify(outcome))
  checkFailure(outcome)
  checkSilent(outcome, submission)
  assert.equal(await harness.countArrivals(submission.reference), 1)
  return submission
}

async function submitOnce({ provider, order }: ConformanceHarness, fault: ConformanceFault, submission: Submission) {
  await order(fault, submission.reference)
  return { submission, outcome: await provider.submit(submission) }
}
