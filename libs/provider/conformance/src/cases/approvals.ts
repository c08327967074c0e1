/** Cases of approvals: preparing moves nothing and is idempotent; a decision is final and lets exactly one mutation through. */

import assert from 'node:assert/strict'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ApprovalRequest } from '@financial-agents/provider-port/approval'
import type { Submission } from '@financial-agents/provider-port/port'
import { checkSilent } from './checks.ts'
import type { ConformanceCase, ConformanceHarness } from './harness.ts'

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
    whereAsked(kind, 'prepared twice it is the same one, and nothing moves', [], async (harness, request) => {
      const first = await prepare(harness, request)
      assert.deepEqual(await prepare(harness, request), first)
      assert(first.pollAfterMs >= 1)
      assert(first.expiresAt.getTime() > 0)
      assert.deepEqual(await poll(harness, request, first.approval), { type: 'pending' })
      assert.equal(await harness.countArrivals(request.reference), 0)
      checkSilent(first, request)
    }),
    whereAsked(
      kind,
      'unapproved, declined or undecided, the mutation is not executed',
      [],
      async (harness, request) => {
        assert.equal((await harness.provider.submit(request)).type, 'failed')
        const { approval, hostedUrl } = await prepare(harness, request)
        assert.equal((await harness.provider.submit(request)).type, 'failed')
        await harness.decide(hostedUrl, 'decline')
        assert.deepEqual(await poll(harness, request, approval), { type: 'declined' })
        assert.equal((await harness.provider.submit(request)).type, 'failed')
      },
    ),
    whereAsked(kind, 'granted is final, and the mutation then executed', [], async (harness, request) => {
      const { approval, hostedUrl } = await prepare(harness, request)
      await harness.decide(hostedUrl, 'approve')
      assert.deepEqual(await poll(harness, request, approval), { type: 'granted' })
      assert.equal(await harness.countArrivals(request.reference), 0)
      const outcome = await harness.provider.submit(request)
      assert(outcome.type === 'succeeded' || outcome.type === 'submitted', JSON.stringify(outcome))
      assert.deepEqual(await poll(harness, request, approval), { type: 'granted' })
    }),
    whereAsked(kind, 'over before it is decided it is expired', ['expire_approval'], async (harness, request) => {
      await harness.order('expire_approval', request.reference)
      const { approval } = await prepare(harness, request)
      assert.deepEqual(await poll(harness, request, approval), { type: 'expired' })
    }),
    whereAsked(kind, 'a provider that cannot be reached says nothing about it', [], async (harness, request) => {
      const unavailable = { type: 'unavailable', reason: 'provider_unreachable' }
      assert.deepEqual(await harness.unreachable.prepareApproval(request), unavailable)
      assert.deepEqual(await harness.unreachable.pollApproval({ ...request, approval: 'any' }), unavailable)
    }),
  ]
}

function whereAsked(
  kind: OperationKind,
  name: string,
  needs: ConformanceCase['needs'],
  run: (harness: ConformanceHarness, request: Submission & ApprovalRequest) => Promise<void>,
): ConformanceCase {
  return {
    name: `${kind}: an approval, where it is asked for: ${name}`,
    needs,
    async run(harness) {
      const request = await harness.newApprovalRequest(kind)
      if (request !== undefined) await run(harness, request)
    },
  }
}

async function prepare({ provider }: ConformanceHarness, request: ApprovalRequest) {
  const prepared = await provider.prepareApproval(request)
  assert(prepared.type === 'started', JSON.stringify(prepared))
  return prepared
}

function poll({ provider }: ConformanceHarness, { credentials, timeoutMs }: ApprovalRequest, approval: string) {
  return provider.pollApproval({ credentials, timeoutMs, approval })
}
