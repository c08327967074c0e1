/** Cases of approvals: preparing moves nothing and is idempotent; a decision is final and lets exactly one mutation through. */

import assert from 'node:assert/strict'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ApprovalRequest } from '../approval.ts'
import type { Submission } from '../port.ts'
import type { ConformanceBench, ConformanceCase } from './bench.ts'
import { checkSilent } from './checks.ts'

export function approvalCases(kind: OperationKind): readonly ConformanceCase[] {
  return [
    {
      name: `${kind}: an approval is asked for where the kind may need one, and otherwise not needed`,
      needs: [],
      async run({ provider, newSubmission, newApprovalRequest, countArrivals }) {
        const request = await newApprovalRequest(kind)
        assert.equal(provider.mayAskApproval(kind), request !== undefined)
        if (request !== undefined) return
        const submission = await newSubmission(kind)
        assert.deepEqual(await provider.prepareApproval({ ...submission, returnUrl: null }), { type: 'not_needed' })
        assert.equal(await countArrivals(submission.reference), 0)
      },
    },
    whereAsked(kind, 'prepared twice it is the same one, and nothing moves', [], async (bench, request) => {
      const first = await prepare(bench, request)
      assert.deepEqual(await prepare(bench, request), first)
      assert(first.pollAfterMs >= 1)
      assert(first.expiresAt.getTime() > 0)
      assert.deepEqual(await poll(bench, request, first.approval), { type: 'pending' })
      assert.equal(await bench.countArrivals(request.reference), 0)
      checkSilent(first, request)
    }),
    whereAsked(kind, 'unapproved, declined or undecided, the mutation is not executed', [], async (bench, request) => {
      assert.equal((await bench.provider.submit(request)).type, 'failed')
      const { approval, hostedUrl } = await prepare(bench, request)
      assert.equal((await bench.provider.submit(request)).type, 'failed')
      await bench.decide(hostedUrl, 'decline')
      assert.deepEqual(await poll(bench, request, approval), { type: 'declined' })
      assert.equal((await bench.provider.submit(request)).type, 'failed')
    }),
    whereAsked(kind, 'granted is final, and the mutation then executed', [], async (bench, request) => {
      const { approval, hostedUrl } = await prepare(bench, request)
      await bench.decide(hostedUrl, 'approve')
      assert.deepEqual(await poll(bench, request, approval), { type: 'granted' })
      assert.equal(await bench.countArrivals(request.reference), 0)
      const outcome = await bench.provider.submit(request)
      assert(outcome.type === 'succeeded' || outcome.type === 'submitted', JSON.stringify(outcome))
      assert.deepEqual(await poll(bench, request, approval), { type: 'granted' })
    }),
    whereAsked(kind, 'over before it is decided it is expired', ['expire_approval'], async (bench, request) => {
      await bench.order('expire_approval', request.reference)
      const { approval } = await prepare(bench, request)
      assert.deepEqual(await poll(bench, request, approval), { type: 'expired' })
    }),
    whereAsked(kind, 'a provider that cannot be reached says nothing about it', [], async (bench, request) => {
      const unavailable = { type: 'unavailable', reason: 'provider_unreachable' }
      assert.deepEqual(await bench.unreachable.prepareApproval(request), unavailable)
      assert.deepEqual(await bench.unreachable.pollApproval({ ...request, approval: 'any' }), unavailable)
    }),
  ]
}

function whereAsked(
  kind: OperationKind,
  name: string,
  needs: ConformanceCase['needs'],
  run: (bench: ConformanceBench, request: Submission & ApprovalRequest) => Promise<void>,
): ConformanceCase {
  return {
    name: `${kind}: an approval, where it is asked for: ${name}`,
    needs,
    async run(bench) {
      const request = await bench.newApprovalRequest(kind)
      if (request !== undefined) await run(bench, request)
    },
  }
}

async function prepare({ provider }: ConformanceBench, request: ApprovalRequest) {
  const prepared = await provider.prepareApproval(request)
  assert(prepared.type === 'started', JSON.stringify(prepared))
  return prepared
}

function poll({ provider }: ConformanceBench, { credentials, timeoutMs }: ApprovalRequest, approval: string) {
  return provider.pollApproval({ credentials, timeoutMs, approval })
}
