/**
 * Cases of deadlines, for adapters that promise about them (`DeadlinePromise`): a mutation that was not begun in time
 * is never executed, and a read that begins late enough, by the provider's own clock, does not find it. A promise that
 * no case can validate is a failure, because a promise that is not kept pays twice.
 */

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { DeadlinePromise, Provider, Submission } from '@financial-agents/provider-port/port'
import { checkFailure, checkSilent, lookupOf } from './checks.ts'
import type { ConformanceCase, ConformanceHarness } from './harness.ts'
import { submitImpatiently } from './impatient.ts'

/** Bounds the wait for the provider's clock. */
const longestWaitMs = 120_000

export function deadlineCases(kind: OperationKind): readonly ConformanceCase[] {
  return [
    wherePromised(
      kind,
      "a request that arrives after its deadline is failed, and is not found by the provider's own clock",
      [],
      submitExpired,
    ),
    wherePromised(
      kind,
      'a request that waited inside the provider until after its deadline is never executed',
      ['hold'],
      holdTooLong,
    ),
    wherePromised(
      kind,
      'a request that waited inside the provider and is still in time is executed',
      ['hold'],
      holdInTime,
    ),
  ]
}

/**
 * The case that fails an adapter if no case validates its promise. The harness then does not make the fault `hold`, or it leaves out
 * a kind whose reads show the provider's time.
 */
export function validatedDeadlines(kinds: readonly OperationKind[]): ConformanceCase {
  const leftOut: ConformanceCase['leftOut'] = ({ provider }) =>
    findPromise(provider) === undefined ? nothingPromised : undefined
  return {
    name: 'deadlines: a promise about them is validated, or not made',
    needs: [],
    leftOut,
    async run(harness) {
      if (leftOut(harness) !== undefined) return
      const promised = kinds.filter((kind) => isPromised(harness, kind))
      assert(promised.length === 0 || harness.faults.has('hold'), unvalidated)
      for (const kind of kinds) if (!promised.includes(kind)) await checkTimeless(harness, kind)
    },
  }
}

const nothingPromised = 'the provider promises nothing about deadlines'
const unvalidated =
  'the adapter promises about deadlines, and the harness does not make the fault hold, which validates the promise: list hold in the faults of the harness, or promise nothing (deadlines: null)'

/** A case that concerns an adapter only if it promises about the deadlines of the kind. */
function wherePromised(
  kind: OperationKind,
  name: string,
  needs: ConformanceCase['needs'],
  run: (harness: ConformanceHarness, kind: OperationKind, promise: DeadlinePromise) => Promise<void>,
): ConformanceCase {
  return {
    name: `${kind}: ${name}`,
    needs,
    leftOut: (harness) => (isPromised(harness, kind) ? undefined : nothingPromised),
    async run(harness) {
      const promise = findPromise(harness.provider)
      if (promise === undefined || !isPromised(harness, kind)) return
      assert(Number.isInteger(promise.clockMarginMs) && promise.clockMarginMs >= 0)
      await run(harness, kind, promise)
    },
  }
}

async function submitExpired(
  { provider, newSubmission }: ConformanceHarness,
  kind: OperationKind,
  promise: DeadlinePromise,
) {
  const asked = await newSubmission(kind)
  const late = { ...asked, validUntil: new Date(Date.now() - promise.clockMarginMs - 60_000) }
  const outcome = await provider.submit(late)
  assert(outcome.type === 'failed', JSON.stringify(outcome))
  assert.equal(outcome.failureCode, 'submission_expired')
  checkFailure(outcome)
  checkSilent(outcome, late)
  await checkAbsent(provider, late)
}

async function holdTooLong(harness: ConformanceHarness, kind: OperationKind, promise: DeadlinePromise) {
  const { provider, newSubmission, release } = harness
  const { submission } = await submitImpatiently(harness, 'hold', async () => ({
    ...(await newSubmission(kind)),
    validUntil: new Date(Date.now() + 3_000),
  }))
  await reachDeadline(provider, submission, promise)
  await release(submission.reference)
  await checkAbsent(provider, submission)
}

async function holdInTime(harness: ConformanceHarness, kind: OperationKind) {
  const { provider, newSubmission, release } = harness
  const { submission } = await submitImpatiently(harness, 'hold', async () => ({
    ...(await newSubmission(kind)),
    validUntil: new Date(Date.now() + 3_600_000),
  }))
  await release(submission.reference)
  const found = await provider.lookup(lookupOf(submission))
  assert.equal(found.type, 'found', JSON.stringify(found))
}

/** Both promises together, by which a read proves that a mutation was not executed; undefined without one of them. */
function findPromise({ deadlines }: Provider): DeadlinePromise | undefined {
  return deadlines?.refusesAfterDeadline && deadlines.completeByReference ? deadlines : undefined
}

function isPromised(
  { provider, deadlineKinds }: Pick<ConformanceHarness, 'provider' | 'deadlineKinds'>,
  kind: OperationKind,
): boolean {
  return findPromise(provider) !== undefined && (deadlineKinds?.has(kind) ?? true)
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

/** Checks that no read of the kind shows a time. A read without a time never proves that a mutation was not executed. */
async function checkTimeless({ provider, newSubmission }: ConformanceHarness, kind: OperationKind): Promise<void> {
  const submission = await newSubmission(kind)
  for (const target of [undefined, submission.target]) {
    const result = await provider.lookup({ ...lookupOf(submission), target })
    assert(
      result.type !== 'not_found' || result.providerTime === undefined,
      `${kind}: a read shows the time of the provider, which promises nothing about the deadlines of this kind`,
    )
  }
}
