/** Cases of submissions whose outcome is certain: executed, refused, never sent. */

import assert from 'node:assert/strict'
import { kindFacts, type OperationKind } from '@financial-agents/contract/kinds'
import { checkFailure, checkFound, checkSilent, lookupOf } from './checks.ts'
import type { ConformanceCase } from './harness.ts'

export function submissionCases(kind: OperationKind): readonly ConformanceCase[] {
  return [executed(kind), ...refused(kind), ...neverSent(kind)]
}

function executed(kind: OperationKind): ConformanceCase {
  return {
    name: `${kind}: what is executed arrives once, and a read by either reference proves it with the same facts`,
    needs: [],
    async run({ provider, newSubmission, countArrivals }) {
      assert(provider.supports(kind))
      const submission = await newSubmission(kind)
      const before = await provider.lookup(lookupOf(submission))
      assert.equal(before.type, 'not_found', JSON.stringify(before))
      const outcome = await provider.submit(submission)
      assert.equal(outcome.type, 'succeeded', JSON.stringify(outcome))
      assert(outcome.type === 'succeeded')
      assert.match(outcome.upstreamReference, /^.{1,200}$/)
      assert.equal(await countArrivals(submission.reference), 1)
      const byOurs = await provider.lookup(lookupOf(submission))
      const byBoth = await provider.lookup({
        ...lookupOf(submission, outcome.upstreamReference),
        target: submission.target,
      })
      for (const result of [byOurs, byBoth]) {
        checkFound(result, 'succeeded')
        assert.equal(result.upstreamReference, outcome.upstreamReference)
        assert.deepEqual(result.resource, outcome.resource)
        checkSilent(result, submission)
      }
      assert.deepEqual(await provider.lookup(lookupOf(submission)), byOurs)
      if (kind === 'card_create') assert.match(outcome.resource?.['last_four'] ?? '', /^\d{4}$/)
      checkSilent(outcome, submission)
      assert.equal(await countArrivals(submission.reference), 1)
    },
  }
}

function refused(kind: OperationKind): readonly ConformanceCase[] {
  return (['refuse', 'reject'] as const).map((fault) => ({
    name: `${kind}: a definitive answer (${fault}) is failed, and nothing is found afterwards`,
    needs: [fault],
    async run({ provider, newSubmission, order, countArrivals }) {
      const submission = await newSubmission(kind)
      await order(fault, submission.reference)
      const outcome = await provider.submit(submission)
      assert.equal(outcome.type, 'failed', JSON.stringify(outcome))
      checkFailure(outcome)
      checkSilent(outcome, submission)
      assert.equal(await countArrivals(submission.reference), 1)
      assert.equal((await provider.lookup(lookupOf(submission))).type, 'not_found')
    },
  }))
}

function neverSent(kind: OperationKind): readonly ConformanceCase[] {
  const cases: ConformanceCase[] = [
    {
      name: `${kind}: a provider that cannot be reached was sent nothing, and its reads are unavailable`,
      needs: [],
      async run({ unreachable, newSubmission, countArrivals }) {
        const submission = await newSubmission(kind)
        const outcome = await unreachable.submit(submission)
        assert.equal(outcome.type, 'unsent', JSON.stringify(outcome))
        checkFailure(outcome)
        assert.equal(await countArrivals(submission.reference), 0)
        assert.deepEqual(await unreachable.lookup(lookupOf(submission)), {
          type: 'unavailable',
          reason: 'provider_unreachable',
        })
      },
    },
    {
      name: `${kind}: credentials that the provider does not accept fail it, and make its reads unavailable`,
      needs: [],
      async run({ provider, newSubmission }) {
        const submission = { ...(await newSubmission(kind)), credentials: 'of-nobody-at-all' }
        const outcome = await provider.submit(submission)
        assert(outcome.type === 'failed', JSON.stringify(outcome))
        assert.equal(outcome.failureCode, 'provider_authentication_failed')
        assert.deepEqual(await provider.lookup(lookupOf(submission)), {
          type: 'unavailable',
          reason: 'provider_authentication_failed',
        })
      },
    },
  ]
  if (kindFacts[kind].target !== null) cases.push(unsayable(kind, 'without what it names', { target: undefined }))
  if (kind.endsWith('_create') || kind.endsWith('transfer')) {
    cases.push(unsayable(kind, 'with a payload of another kind', { payload: { amount: 1, name: 2, type: 'x' } }))
  }
  return cases
}

function unsayable(kind: OperationKind, how: string, change: object): ConformanceCase {
  return {
    name: `${kind}: ${how} it is failed, and nothing is sent`,
    needs: [],
    async run({ provider, newSubmission, countArrivals }) {
      const submission = await newSubmission(kind)
      const outcome = await provider.submit({ ...submission, ...change })
      assert(outcome.type === 'failed', JSON.stringify(outcome))
      assert.equal(outcome.failureCode, 'submission_invalid')
      assert.equal(await countArrivals(submission.reference), 0)
    },
  }
}
