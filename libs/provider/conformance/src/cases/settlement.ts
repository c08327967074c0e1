/** Cases of mutations that settle later, and of records that contradict each other. */

import assert from 'node:assert/strict'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { checkFound, checkSilent, lookupOf } from './checks.ts'
import type { ConformanceCase, ConformanceFault, ConformanceHarness } from './harness.ts'

export function settlementCases(kind: OperationKind): readonly ConformanceCase[] {
  return [
    ...(['succeeded', 'failed'] as const).map(
      (end): ConformanceCase => ({
        name: `${kind}: what settles later is submitted, stays pending, and is found ${end} once it is`,
        needs: ['settle_later'],
        async run(harness) {
          const { submission, upstreamReference } = await submitPending(harness, kind, 'settle_later')
          const asked = lookupOf(submission, upstreamReference)
          const pending = await harness.provider.lookup(asked)
          checkFound(pending, 'pending')
          assert.equal(pending.upstreamReference, upstreamReference)
          assert.deepEqual(await harness.provider.lookup(asked), pending)
          await harness.settle(submission.reference, end)
          const settled = await harness.provider.lookup(asked)
          checkFound(settled, end)
          assert.notEqual(settled.observed, pending.observed)
          assert.deepEqual(await harness.provider.lookup(lookupOf(submission)), settled)
        },
      }),
    ),
    ...(['two_records', 'reopened'] as const).map(
      (fault): ConformanceCase => ({
        name: `${kind}: records that contradict (${fault}) are ambiguous, whichever reference is asked for`,
        needs: [fault],
        async run(harness) {
          const { submission, upstreamReference } = await submitPending(harness, kind, fault)
          for (const known of [null, upstreamReference]) {
            const result = await harness.provider.lookup(lookupOf(submission, known))
            assert.equal(result.type, 'ambiguous', JSON.stringify(result))
            checkSilent(result, submission)
          }
        },
      }),
    ),
    {
      name: `${kind}: a record that was not the one acknowledged is ambiguous`,
      needs: [],
      async run({ provider, newSubmission }) {
        const submission = await newSubmission(kind)
        await provider.submit(submission)
        const result = await provider.lookup(lookupOf(submission, 'another_reference'))
        assert.equal(result.type, 'ambiguous', JSON.stringify(result))
      },
    },
  ]
}

async function submitPending(
  { provider, newSubmission, order }: ConformanceHarness,
  kind: OperationKind,
  fault: ConformanceFault,
) {
  const submission = await newSubmission(kind)
  await order(fault, submission.reference)
  const outcome = await provider.submit(submission)
  assert(outcome.type === 'submitted', JSON.stringify(outcome))
  return { submission, upstreamReference: outcome.upstreamReference }
}
