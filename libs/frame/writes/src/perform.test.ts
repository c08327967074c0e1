/** One write between the area's row and operations: a row is settled only by a result about its own operation. */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { createLostAnswers } from '@financial-agents/bus/testing/lost-answers'
import { startTestNats } from '@financial-agents/bus/testing/nats'
import { Problem } from '@financial-agents/contract/problem'
import { statement } from '@financial-agents/postgres/database'
import { sqlMigration } from '@financial-agents/postgres/migrate'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { performWrite, type WriteContext } from './perform.ts'
import { startWrites } from './start-writes.ts'
import { keyOf, newOperation, type StubOperations, stubOperations } from './testing/stub-operations.ts'
import { writesTables } from './testing/tables.ts'
import type { Move, WriteKind } from './write.ts'
import type { Writes } from './writes.ts'

const lostAnswers = createLostAnswers('int.operations.accept')
const clock = createFrozenClock()
let offsetMs = 0
/** Only forwards: a run of the background job that read the clock before must not find a younger draft old. */
const makeDraftsOld = () => clock.setOffsetMs((offsetMs += 120_000))
const log = createLog({ service: 'test', level: 'silent' })
let moves: Move[] = []

const create: WriteKind<object, 'beneficiary_create'> = {
  kind: 'beneficiary_create',
  route: 'POST /v1/beneficiaries',
  draft: async () => new Map(),
  follow: async (_tx, moved) => void moves.push(...moved),
}

let operations: StubOperations
let bus: Bus
let writes: Writes
let rows: (key: string) => Promise<{ operation_id: string; state: string }[]>
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const [nats, database] = await Promise.all([
    startTestNats(),
    createTestDatabase({ service: 'writes', migrations: { '0001_init': sqlMigration(writesTables) } }),
  ])
  const db = database.open()
  operations = stubOperations(await nats.connect('operations'))
  bus = lostAnswers.on(await nats.connect('beneficiaries'))
  const pauses = { draftDecideAfterMs: 60_000, pendingPullAfterMs: 60_000, backgroundJobPauseMs: 20 }
  const started = startWrites({
    ...pauses,
    bus,
    db,
    clock,
    log,
    area: 'beneficiaries',
    kinds: { [create.kind]: create } as never,
  })
  writes = started
  rows = (key) =>
    db.rows(statement('test_rows', `SELECT operation_id, state FROM writes WHERE owner_id = $1 ORDER BY created_at`), [
      key,
    ])
  ends.push(
    () => started.stop(),
    () => nats.stop(),
    () => database.close(),
  )
})
afterAll(async () => {
  for (const end of ends) await end()
})
beforeEach(() => {
  moves = []
  const atOnce = async () => {}
  Object.assign(operations, { beforeAccept: atOnce, beforeAnswer: atOnce })
})

/** A request of a new owner. The owner's id finds its rows. */
function newContext(): WriteContext & { owner: string } {
  const owner = randomUUID()
  return {
    owner,
    principal: { owner_id: owner, subject: 's', client_id: 'client', grant_id: randomUUID(), binding_id: randomUUID() },
    idempotency: { key: randomUUID(), request_hash: 'hash' },
    requestId: 'request-1',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`,
    timeoutMs: 60_000,
  }
}

const perform = (context: WriteContext) =>
  performWrite({ bus, log, writes, payloadSealer: { seal: (bytes) => bytes } }, create, context, () => ({
    input: {},
    payload: {},
  }))
const refusalOf = (context: WriteContext) =>
  perform(context).then(
    () => undefined,
    (error: Problem) => error.code,
  )
const statesOf = async (owner: string) => (await rows(owner)).map(({ state }) => state)

test('a replay of another operation leaves the draft of this request void', async () => {
  const context = newContext()
  const other = newOperation(randomUUID(), randomUUID())
  operations.beforeAccept = async (request) => {
    operations.operations.set(other.id, other)
    operations.keys.set(keyOf(request), { hash: request.request_hash, operationId: other.id, expired: false })
  }
  expect(await perform(context)).toEqual({ operation: other, replayed: true })
  expect(await statesOf(context.owner)).toEqual(['void'])
  expect(moves.map(({ to }) => to)).toEqual(['void'])
})

test('a replay of the draft’s own operation, whose first answer was lost, accepts the draft', async () => {
  const context = newContext()
  operations.beforeAnswer = lostAnswers.lose
  expect(await refusalOf(context)).toBe('acceptance_unknown')
  operations.beforeAnswer = async () => {}
  expect(await perform(context)).toMatchObject({ replayed: true })
  expect(await statesOf(context.owner)).toEqual(['accepted'])
})

/** Answers that operations may give after it has committed. They say nothing about the commit. */
const sayNothing: [string, () => Promise<never>][] = [
  ['an error without a meaning', () => Promise.reject(new Error('broken'))],
  ['internal_error', () => Promise.reject(new Problem('internal_error'))],
  ['acceptance_unknown', () => Promise.reject(new Problem('acceptance_unknown'))],
  ['nothing', () => lostAnswers.lose()],
]

test.each(sayNothing)(
  '%s as the answer to an accept is no refusal: the draft waits for the background job',
  async (_name, fail) => {
    const context = newContext()
    operations.beforeAnswer = fail
    expect(await refusalOf(context)).toBe('acceptance_unknown')
    expect(await statesOf(context.owner)).toEqual(['draft'])
    makeDraftsOld()
    await expect.poll(() => statesOf(context.owner), { timeout: 120_000 }).toEqual(['accepted'])
  },
)

test('a draft on which the background job gets no decision stays a draft', async () => {
  const [forgotten, decided] = [newContext(), newContext()]
  operations.beforeAccept = lostAnswers.lose
  for (const context of [forgotten, decided]) expect(await refusalOf(context)).toBe('acceptance_unknown')
  const [draft] = await rows(forgotten.owner)
  operations.leftOut.add(draft?.operation_id ?? '')
  makeDraftsOld()
  await expect.poll(() => statesOf(decided.owner), { timeout: 120_000 }).toEqual(['void'])
  expect(await statesOf(forgotten.owner)).toEqual(['draft'])
})
