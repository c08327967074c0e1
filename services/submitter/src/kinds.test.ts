/** Every kind against the real provider: the outcome of the operation after each answer, and after a missing answer. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { statement } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { byKind, kindsOracle } from '@financial-agents/testkit/kinds-oracle'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { SubmissionRow } from './submission.ts'
import { createWorld, until, untilLeaseIsOverMs, type World } from './world.test-helper.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(() => world.stopSubmitters())
afterAll(() => world.close())

const findRow = statement('test_row', 'SELECT * FROM submissions WHERE operation_id = $1')
const row = async (id: string) => (await world.database.rows<SubmissionRow>(findRow, [id]))[0]

type Results = Partial<Record<OperationKind, unknown>>

const equally = (value: unknown): Results => byKind(() => value)

/** Submits one operation of each kind, each with the fault. Returns the operations. */
async function submitEach(
  fault?: { script: string; options?: object },
  changes: Partial<AcceptedOperation> = {},
): Promise<AcceptedOperation[]> {
  const operations = await Promise.all(
    operationKinds.map(async (kind) => {
      const operation = await world.acceptReady(kind, changes)
      if (fault) await world.provider.fault(fault.script, operation.operation_id, fault.options)
      return operation
    }),
  )
  world.submit(...operations.map(({ operation_id }) => operation_id))
  return operations
}

/** Waits for the outcome of each operation. Returns what `look` returns for it, by kind. */
async function outcomes(
  operations: readonly AcceptedOperation[],
  look: (outcome: OperationTransition, operation: AcceptedOperation) => unknown,
): Promise<Results> {
  const entries = await Promise.all(
    operations.map(async (operation) => {
      const { operation_id: id } = operation
      await until(() => world.transitionsOf(id).length === 2)
      return [operation.kind, look(world.transitionsOf(id)[1] as OperationTransition, operation)] as const
    }),
  )
  return Object.fromEntries(entries)
}

async function arrivals(operations: readonly AcceptedOperation[]): Promise<Results> {
  const entries = operations.map(
    async ({ kind, operation_id }) => [kind, (await world.provider.ledger(operation_id)).length] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** Makes as many connections to the provider as there are kinds, so that a short time-out does not end while one is made. */
async function openConnections(): Promise<void> {
  const operations = await submitEach({ script: 'hold' })
  await expect.poll(() => arrivals(operations)).toEqual(equally(1))
  for (const { operation_id } of operations) await world.provider.release(operation_id)
  await outcomes(operations, () => null)
}

const short = ({ event, to, failure_code }: OperationTransition) => [event, to, failure_code]

test('what the provider executes succeeds, and tells what it acted on and what the provider knows of the resource', async () => {
  await world.start()
  const operations = await submitEach()
  const seen = await outcomes(operations, (outcome, operation) => {
    expect(outcome).toMatchObject({ upstream_reference: expect.any(String), next_reconcile_at: null })
    const [claim] = world.transitionsOf(operation.operation_id)
    expect(claim?.resource).toBeNull()
    expect(outcome.target_reference).toBe(operation.target_reference)
    expect([outcome.kind, outcome.target_reference !== null]).toEqual([
      operation.kind,
      kindsOracle[operation.kind as OperationKind].target !== null,
    ])
    return [...short(outcome), outcome.resource ? Object.keys(outcome.resource).toSorted() : null]
  })
  const executed = ['provider_completed', 'succeeded', null]
  expect(seen).toEqual(byKind(({ reports }) => [...executed, reports]))
  expect(await arrivals(operations)).toEqual(equally(1))
  for (const { operation_id, target_reference } of operations)
    expect(await row(operation_id)).toMatchObject({ target_reference, state: 'succeeded' })
})

test.each([
  ['refuse', {}, 'provider_refused'],
  ['fail', { reason: 'account_closed' }, 'provider_rejected_details'],
])(
  'what the provider refuses (%s) fails with its code, and tells nothing of a resource',
  async (script, options, code) => {
    await world.start()
    const operations = await submitEach({ script, options })
    const seen = await outcomes(operations, (outcome) => [
      ...short(outcome),
      outcome.resource,
      outcome.next_reconcile_at,
    ])
    expect(seen).toEqual(equally(['provider_refused', 'failed', code, null, null]))
    expect(await arrivals(operations)).toEqual(equally(1))
  },
)

test.each([
  ['accept_drop_reply', {}, 'indeterminate', 'provider_connection_lost'],
  ['drop_before_accept', {}, 'indeterminate', 'provider_connection_lost'],
  ['slow', { delay_ms: 30_000 }, 'indeterminate', 'provider_timeout'],
  ['never_settle', {}, 'submitted', null],
])('after the first byte, %s leaves every kind open, and it is never sent again', async (script, options, to, code) => {
  await world.start(script === 'slow' ? { PROVIDER_TIMEOUT_MS: '3000' } : {})
  if (script === 'slow') await openConnections()
  const operations = await submitEach({ script, options })
  const event = to === 'submitted' ? 'provider_accepted' : 'outcome_unknown'
  expect(await outcomes(operations, short)).toEqual(equally([event, to, code]))
  // A call may end by its time-out before the provider has read it.
  await expect.poll(() => arrivals(operations)).toEqual(equally(1))
  world.submit(...operations.map(({ operation_id }) => operation_id))
  await world.quiet()
  expect(await arrivals(operations)).toEqual(equally(1))
  for (const { operation_id } of operations)
    expect(world.transitionsOf(operation_id)[1]?.next_reconcile_at).toEqual(expect.any(String))
})

/** Starts a server in the place of the provider. The server gives the same answer to every request. */
async function listen(status: number, body: string): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each([
  [500, '{"error":{"code":"internal"}}', 'provider_error'],
  [503, '', 'provider_error'],
  [201, '{"result":', 'provider_response_invalid'],
  [
    201,
    '{"result":{"provider_ref":"x","client_reference":"of-somebody-else","status":"active"}}',
    'provider_response_invalid',
  ],
  [403, '<html>a proxy</html>', 'provider_response_invalid'],
  [302, '', 'provider_response_invalid'],
])('an answer that proves nothing (%i %s) leaves every kind indeterminate', async (status, body, code) => {
  const { server, url } = await listen(status, body)
  await world.start({ PROVIDER_URL: url })
  const operations = await submitEach()
  expect(await outcomes(operations, short)).toEqual(equally(['outcome_unknown', 'indeterminate', code]))
  await world.stopSubmitters()
  server.close()
})

test('a provider that refuses the connection was sent nothing: every kind fails', async () => {
  await world.start({ PROVIDER_URL: 'http://127.0.0.1:9' })
  const operations = await submitEach()
  expect(await outcomes(operations, short)).toEqual(equally(['provider_refused', 'failed', 'provider_unreachable']))
})

test('a kind that lacks what it acts on fails, and nothing is sent', async () => {
  await world.start()
  const operations = await submitEach(undefined, { target_reference: null })
  const invalid = ['provider_refused', 'failed', 'submission_invalid']
  const executed = ['provider_completed', 'succeeded', null]
  const expected = (lacking: unknown, other: unknown) => byKind(({ target }) => (target === null ? other : lacking))
  expect(await outcomes(operations, short)).toEqual(expected(invalid, executed))
  expect(await arrivals(operations)).toEqual(expected(0, 1))
})

test('an attempt of any kind whose lease runs out is indeterminate; its late answer tells what came of it', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const operations = await submitEach({ script: 'hold' })
  for (const { operation_id } of operations) await until(async () => (await row(operation_id))?.state === 'submitting')
  clock.setOffsetMs(untilLeaseIsOverMs)
  expect(await outcomes(operations, short)).toEqual(equally(['lease_expired', 'indeterminate', 'attempt_interrupted']))
  for (const { operation_id } of operations) await world.provider.release(operation_id)
  const late = await Promise.all(
    operations.map(async ({ kind, operation_id }) => {
      const answer = await until(() => world.lateAnswers.find((one) => one.operation_id === operation_id))
      expect(answer.upstream_reference).toEqual(expect.any(String))
      expect(await row(operation_id)).toMatchObject({ state: 'indeterminate', resource: null })
      return [
        kind,
        [answer.outcome, answer.resource === null ? null : Object.keys(answer.resource).toSorted()],
      ] as const
    }),
  )
  expect(Object.fromEntries(late)).toEqual(byKind(({ reports }) => ['succeeded', reports]))
  expect(await arrivals(operations)).toEqual(equally(1))
})

test.each(['mandate_create', 'transfer'] as const)(
  'a %s that waits for its approval is left alone, and once approved goes on from its own sequence',
  async (kind) => {
    await world.start()
    const waiting = await world.acceptReady(kind, { state: 'requires_action', sequence: 1 })
    const { operation_id: id } = waiting
    world.submit(id)
    await world.quiet()
    expect(await row(id)).toBeUndefined()
    expect(await world.provider.ledger(id)).toEqual([])
    world.accepted.set(id, { ...waiting, state: 'accepted', sequence: 2 })
    // The message equals the first one, because a message contains only the id of the operation.
    world.submit(id)
    await until(() => world.transitionsOf(id).length === 2)
    expect(world.transitionsOf(id).map(({ sequence, from, to }) => [sequence, from, to])).toEqual([
      [3, 'accepted', 'submitting'],
      [4, 'submitting', 'succeeded'],
    ])
    expect(await world.provider.ledger(id)).toHaveLength(1)
  },
)
