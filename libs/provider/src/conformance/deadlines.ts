/**
 * Cases of deadlines, for adapters that promise about them (`DeadlinePromise`): a mutation that was not begun in time
 * is never executed, and a read that begins late enough, by the provider's own clock, does not find it.
 */

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { DeadlinePromise, Provider, Submission } from '../port.ts'
import type { ConformanceCase } from './bench.ts'
import { checkFailure, checkSilent, lookupOf } from './checks.ts'
import { submitImpatiently } from './impatient.ts'

/** Bounds the wait for the provider's clock. */
const longestWaitMs = 120_000

/** Most requests arrive and are held within it. One that does not is absent too. */
const impatientMs = 1_500

export function deadlineCases(kind: OperationKind): readonly ConformanceCase[] {
  return [expired(kind), heldTooLong(kind), heldInTime(kind)]
}

function expired(kind: OperationKind): ConformanceCase {
  return {
    name: `${kind}: a request that arrives after its deadline is failed, and is not found by the provider's own clock`,
    needs: ['hold'],
    async run({ provider, newSubmission }) {
      const promise = promiseOf(provider)
      const asked = await newSubmission(kind)
      const late = { ...asked, validUntil: new Date(Date.now() - promise.clockMarginMs - 60_000) }
      const outcome = await provider.submit(late)
      assert(outcome.type === 'failed', JSON.stringify(outcome))
      assert.equal(outcome.failureCode, 'submission_expired')
      checkFailure(outcome)
      checkSilent(outcome, late)
      await checkAbsent(provider, late)
    },
  }
}

function heldTooLong(kind: OperationKind): ConformanceCase {
  return {
    name: `${kind}: a request that waited inside the provider until after its deadline is never executed`,
    needs: ['hold'],
    async run({ provider, newSubmission, order, release }) {
      const promise = promiseOf(provider)
      const asked = await newSubmission(kind)
      const submission = { ...asked, validUntil: new Date(Date.now() + 3_000), timeoutMs: impatientMs }
      await order('hold', submission.reference)
      const outcome = await provider.submit(submission)
      assert.equal(outcome.type, 'uncertain', JSON.stringify(outcome))
      const patient = { ...submission, timeoutMs: asked.timeoutMs }
      await reachDeadline(provider, patient, promise)
      await release(submission.reference)
      await checkAbsent(provider, patient)
    },
  }
}

function heldInTime(kind: OperationKind): ConformanceCase {
  return {
    name: `${kind}: a request that waited inside the provider and is still in time is executed`,
    needs: ['hold'],
    async run(bench) {
      const { provider, newSubmission, release } = bench
      promiseOf(provider)
      const { submission } = await submitImpatiently(bench, 'hold', async () => ({
        ...(await newSubmission(kind)),
        validUntil: new Date(Date.now() + 3_600_000),
      }))
      await release(submission.reference)
      const found = await provider.lookup(lookupOf(submission))
      assert.equal(found.type, 'found', JSON.stringify(found))
    },
  }
}

function promiseOf({ deadlines }: Provider): DeadlinePromise {
  assert(
    deadlines?.refusesAfterDeadline && deadlines.completeByReference,
    'the adapter makes no promise about deadlines',
  )
  assert(Number.isInteger(deadlines.clockMarginMs) && deadlines.clockMarginMs >= 0)
  return deadlines
}

/** Waits until the provider's own clock is past the deadline and the margin. */
async function reachDeadline(provider: Provider, submission: Submission, promise: DeadlinePromise): Promise<void> {
  const waitUntil = Date.now() + longestWaitMs
  while (Date.now() < waitUntil) {
    const leftMs = submission.validUntil.getTime() + promise.clockMarginMs - (await checkAbsent(provider, submission))
    if (leftMs < 0) return
    await sleep(Math.min(leftMs + 10, 1_000))
  }
  assert.fail('the clock of the provider stands still')
}

/** Returns the provider's time of the read. */
async function checkAbsent(provider: Provider, submission: Submission): Promise<number> {
  const result = await provider.lookup({ ...lookupOf(submission), target: submission.target })
  assert(result.type === 'not_found', JSON.stringify(result))
  assert(result.providerTime instanceof Date, 'the read does not say the time of the provider')
  checkSilent(result, submission)
  return result.providerTime.getTime()
}
