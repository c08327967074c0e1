/** Cases of submissions whose outcome is in doubt, and of the lookups that follow. */

import assert from 'node:assert/strict'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { ConformanceBench, ConformanceCase, ConformanceFault } from './bench.ts'
import { checkFailure, checkFound, checkSilent, lookupOf } from './checks.ts'

/** Long enough that the request arrives, on a slow machine too. */
const impatientMs = 1_000
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
      const submission = await submitInDoubt(bench, kind, 'slow', impatientMs)
      checkFound(await bench.provider.lookup({ ...lookupOf(submission), timeoutMs: patientMs }), 'succeeded')
    }),
    inDoubt('drop_request', 'a request that was lost is as uncertain, and not found', async (bench) => {
      const submission = await submitInDoubt(bench, kind, 'drop_request')
      const result = await bench.provider.lookup({ ...lookupOf(submission), target: submission.target })
      assert.equal(result.type, 'not_found', JSON.stringify(result))
    }),
  ]
}

async function submitInDoubt(
  { provider, newSubmission, order, countArrivals }: ConformanceBench,
  kind: OperationKind,
  fault: ConformanceFault,
  timeoutMs?: number,
) {
  const made = await newSubmission(kind)
  const submission = { ...made, timeoutMs: timeoutMs ?? made.timeoutMs }
  await order(fault, submission.reference)
  const outcome = await provider.submit(submission)
  assert.equal(outcome.type, 'uncertain', JSON.stringify(outcome))
  checkFailure(outcome)
  checkSilent(outcome, submission)
  assert.equal(await countArrivals(submission.reference), 1)
  return submission
}
