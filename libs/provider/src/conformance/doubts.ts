/** Cases of submissions whose outcome is in doubt, and of the lookups that follow. */

import assert from 'node:assert/strict'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { Submission } from '../port.ts'
import type { ConformanceBench, ConformanceCase, ConformanceFault } from './bench.ts'
import { checkFailure, checkFound, checkSilent, lookupOf } from './checks.ts'
import { submitImpatiently } from './impatient.ts'

const patientMs = 30_000

export function doubtCases(kind: OperationKind): readonly ConformanceCase[] {
  const inDoubt = (fault: ConformanceFault, name: string, run: (bench: ConformanceBench) => Promise<void>) => ({
    name: `${kind}: ${name}`,
    needs: [fault],
    run,
  })
  return [
    inDoubt('drop_reply', 'a lost answer is uncertain, and a read by our reference alone proves it', async (bench) => {
      const submission = await submitInDoubt(bench, kind, 'drop_reply')
      const found = await bench.provider.lookup(lookupOf(submission))
      checkFound(found, 'succeeded')
      checkSilent(found, submission)
      if (kind === 'card_create') assert.match(found.resource?.['last_four'] ?? '', /^\d{4}$/)
    }),
    inDoubt('slow', 'an answer that comes too late is uncertain, and a read proves it', async (bench) => {
      const submission = await submitInDoubt(bench, kind, 'slow')
      checkFound(await bench.provider.lookup({ ...lookupOf(submission), timeoutMs: patientMs }), 'succeeded')
    }),
    inDoubt('drop_request', 'a request that was lost is as uncertain, and not found', async (bench) => {
      const submission = await submitInDoubt(bench, kind, 'drop_request')
      const result = await bench.provider.lookup({ ...lookupOf(submission), target: submission.target })
      assert.equal(result.type, 'not_found', JSON.stringify(result))
    }),
  ]
}

async function submitInDoubt(bench: ConformanceBench, kind: OperationKind, fault: ConformanceFault) {
  const { submission, outcome } =
    fault === 'slow'
      ? await submitImpatiently(bench, fault, () => bench.newSubmission(kind))
      : await submitOnce(bench, fault, await bench.newSubmission(kind))
  assert.equal(outcome.type, 'uncertain', JSON.stringify(outcome))
  checkFailure(outcome)
  checkSilent(outcome, submission)
  assert.equal(await bench.countArrivals(submission.reference), 1)
  return submission
}

async function submitOnce({ provider, order }: ConformanceBench, fault: ConformanceFault, submission: Submission) {
  await order(fault, submission.reference)
  return { submission, outcome: await provider.submit(submission) }
}
