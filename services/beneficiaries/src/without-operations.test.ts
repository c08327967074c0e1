import { randomUUID } from 'node:crypto'
import { dataOf, newPrincipal, problemOf, untilDraftsAreDecidedMs } from '@financial-agents/testkit/test-service'
import type { StubOperations } from '@financial-agents/writes/testing/stub-operations'
import { afterAll, expect, test, vi } from 'vitest'
import { goodBody, startStack } from './started.test-helper.ts'

const stack = await startStack({ operations: false })
afterAll(() => stack.stop())
let operations: StubOperations

test('while operations is away nothing is accepted, nothing is refused unasked, and the same request goes through later', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  const problem = problemOf(await stack.create(principal, goodBody(), key))
  expect(problem.code).toBe('service_unavailable')
  // A refusal needs the result first, so without operations the answer is "later", never "no".
  expect(problemOf(await stack.create(principal, goodBody({ details: {} }))).code).toBe('service_unavailable')
  expect((await stack.list(principal)).items).toEqual([])
  const [draft] = await stack.rows()
  expect(draft?.state).toBe('draft')

  stack.clock.setOffsetMs(untilDraftsAreDecidedMs + 1_000)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await stack.rows())[0]?.state).toBe('draft')

  operations = await stack.connectOperations()
  const operation = dataOf(await stack.create(principal, goodBody(), key))
  expect(operation.id).toBe(draft?.operation_id)
  expect((await stack.list(principal)).items).toHaveLength(1)
})

test('the draft of a request that is never repeated ends void, by decision of operations', async () => {
  const principal = newPrincipal()
  operations.beforeAccept = stack.lostAnswers.lose
  expect(problemOf(await stack.create(principal, goodBody())).code).toBe('acceptance_unknown')
  const row = async () => (await stack.rows()).find((each) => each.owner_id === principal.owner_id)
  stack.clock.setOffsetMs(2 * untilDraftsAreDecidedMs)
  await vi.waitFor(async () => expect((await row())?.state).toBe('void'), { timeout: 120_000, interval: 25 })
  expect((await row())?.idempotency_key).toBeNull()
})
