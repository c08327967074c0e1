/** The guarantees for every area, shown by writes that freeze things of the test, on real PostgreSQL. */

import { randomUUID } from 'node:crypto'
import { Problem } from '@financial-agents/contract/problem'
import { statement } from '@financial-agents/postgres/database'
import { sqlMigration } from '@financial-agents/postgres/migrate'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { writesTables } from './testing/tables.ts'
import type { Draft, Move, WriteKind } from './write.ts'
import { createWrites } from './writes.ts'

const things = 'CREATE TABLE things (id uuid PRIMARY KEY, busy_with uuid, frozen boolean NOT NULL DEFAULT false);'
const database = await createTestDatabase({
  service: 'writes',
  migrations: { '0001_init': sqlMigration(`${writesTables}${things}`) },
})
const dbs = [database.open(), database.open()] as const
const [db] = dbs
afterAll(() => database.close())

const lock = statement(
  'things_lock',
  'SELECT id, busy_with FROM things WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
)
const take = statement(
  'things_take',
  `UPDATE things t SET busy_with = d.operation_id
   FROM jsonb_to_recordset($1::jsonb) AS d(id uuid, operation_id uuid) WHERE t.id = d.id`,
)
const end = statement(
  'things_end',
  `UPDATE things t SET busy_with = NULL, frozen = t.frozen OR m.frozen
   FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, operation_id uuid, frozen boolean)
   WHERE t.id = m.id AND t.busy_with = m.operation_id`,
)

let followed: Move[] = []

const freeze: WriteKind<{ fails?: boolean }> = {
  kind: 'card_freeze',
  route: 'POST /v1/cards/{card_id}/freeze',
  draft: async (tx, drafts) => {
    if (drafts.some(({ input }) => input.fails)) await tx.rows(statement('things_bad', 'SELECT 1 / 0'))
    const ids = drafts.map(({ resource_id }) => resource_id)
    const rows = await tx.rows<{ id: string; busy_with: string | null }>(lock, [ids])
    const busy = new Map(rows.map((row) => [row.id, row.busy_with !== null]))
    const refused = new Map<string, Problem>()
    const taken: { id: string; operation_id: string }[] = []
    for (const { resource_id: id, operation_id } of drafts) {
      if (busy.get(id)) refused.set(operation_id, new Problem('service_unavailable', { detail: 'busy' }))
      else taken.push({ id, operation_id })
      busy.set(id, true)
    }
    await tx.rows(take, [JSON.stringify(taken)])
    return refused
  },
  follow: async (tx, moves) => {
    followed.push(...moves)
    const ended = moves.filter(({ to }) => to !== 'accepted')
    const rows = ended.map(({ resource_id: id, operation_id, to }) => ({
      id,
      operation_id,
      frozen: to === 'succeeded',
    }))
    await tx.rows(end, [JSON.stringify(rows)])
  },
}

const options = {
  bus: undefined as never,
  clock: createClock(),
  log: createLog({ service: 'test', level: 'silent' }),
  durable: 'none',
  draftDecideAfterMs: 10_000,
  pendingPullAfterMs: 10_000,
  backgroundJobPauseMs: 10_000,
}
const replicas = dbs.map((each) => createWrites({ ...options, db: each, kinds: [freeze] }))
const [writes, other] = replicas as [(typeof replicas)[0], (typeof replicas)[0]]

beforeEach(() => {
  followed = []
})

async function makeThing(): Promise<string> {
  const id = randomUUID()
  await db.rows(statement('test_thing', 'INSERT INTO things (id) VALUES ($1)'), [id])
  return id
}

async function thing(id: string) {
  const [row] = await db.rows<{ busy_with: string | null; frozen: boolean }>(
    statement('test_read', 'SELECT busy_with, frozen FROM things WHERE id = $1'),
    [id],
  )
  return row
}

const countWrites = async (operationId: string) =>
  (await db.rows(statement('test_writes', 'SELECT 1 FROM writes WHERE operation_id = $1'), [operationId])).length

function draftOf(resource_id: string, changes: Partial<Draft<{ fails?: boolean }>> = {}): Draft<{ fails?: boolean }> {
  return {
    operation_id: randomUUID(),
    kind: 'card_freeze',
    resource_id,
    owner_id: 'owner',
    client_id: 'client',
    route: freeze.route,
    idempotency_key: randomUUID(),
    request_hash: 'hash',
    input: {},
    ...changes,
  }
}

const outcome = (operation_id: string, sequence: number, to: 'succeeded' | 'failed' | null) => ({
  operation_id,
  sequence,
  outcome: to,
  at: new Date().toISOString(),
  upstream_reference: null,
  resource: null,
})

test('if fifty drafts want one thing at two replicas, one gets it, and the refused ones leave no trace', async () => {
  const id = await makeThing()
  const drafts = Array.from({ length: 50 }, () => draftOf(id))
  const taken = await Promise.all(drafts.map((draft, index) => (index % 2 ? writes : other).take(draft)))
  const won = drafts.filter((_, index) => taken[index] && !('refused' in taken[index]))
  expect(won).toHaveLength(1)
  expect((await thing(id))?.busy_with).toBe(won[0]?.operation_id)
  const left = await Promise.all(drafts.map((draft) => countWrites(draft.operation_id)))
  expect(left.reduce((sum, count) => sum + count)).toBe(1)
})

test('fifty equal requests at two replicas meet in one row, and its kind drafts once', async () => {
  const id = await makeThing()
  const idempotency_key = randomUUID()
  const drafts = Array.from({ length: 50 }, () => draftOf(id, { idempotency_key }))
  const taken = await Promise.all(drafts.map((draft, index) => (index % 2 ? writes : other).take(draft)))
  const ids = new Set(taken.map((each) => (each && 'operation_id' in each ? each.operation_id : undefined)))
  expect(ids.size).toBe(1)
  expect((await thing(id))?.busy_with).toBe([...ids][0])
})

test('fifty equal requests that are refused at two replicas each get the reason, and leave no trace', async () => {
  const id = await makeThing()
  await writes.take(draftOf(id))
  const idempotency_key = randomUUID()
  const drafts = Array.from({ length: 50 }, () => draftOf(id, { idempotency_key }))
  const taken = await Promise.all(drafts.map((draft, index) => (index % 2 ? writes : other).take(draft)))
  expect(taken.map((each) => each && 'refused' in each && each.refused.data.detail)).toEqual(drafts.map(() => 'busy'))
  const left = await Promise.all(drafts.map((draft) => countWrites(draft.operation_id)))
  expect(left.every((count) => count === 0)).toBe(true)
})

test('a void draft releases its reservation once, and an accepted one keeps it until its outcome', async () => {
  const [voided, kept] = [await makeThing(), await makeThing()]
  const [lost, won] = [draftOf(voided), draftOf(kept)]
  await Promise.all([writes.take(lost), writes.take(won)])
  await Promise.all([writes.settle(lost.operation_id, 'void'), writes.settle(won.operation_id, 'accepted')])
  await writes.settle(lost.operation_id, 'void')
  await writes.settle(won.operation_id, 'void')
  expect(await thing(voided)).toEqual({ busy_with: null, frozen: false })
  expect(await thing(kept)).toEqual({ busy_with: won.operation_id, frozen: false })
  expect(followed).toHaveLength(2)
  expect(new Map(followed.map(({ operation_id, to }) => [operation_id, to]))).toEqual(
    new Map([
      [lost.operation_id, 'void'],
      [won.operation_id, 'accepted'],
    ]),
  )
})

test('an outcome is applied once, even if events are repeated, late or out of order', async () => {
  const id = await makeThing()
  const draft = draftOf(id)
  await writes.take(draft)
  await Promise.all([
    writes.advance([outcome(draft.operation_id, 3, 'succeeded')]),
    other.advance([outcome(draft.operation_id, 3, 'succeeded')]),
  ])
  await writes.advance([outcome(draft.operation_id, 2, null)])
  await writes.settle(draft.operation_id, 'accepted')
  expect(await thing(id)).toEqual({ busy_with: null, frozen: true })
  expect(followed.map(({ to, was }) => [to, was])).toEqual([['succeeded', 'draft']])
})

test('news of an operation that goes on show only that it was accepted', async () => {
  const id = await makeThing()
  const draft = draftOf(id)
  await writes.take(draft)
  await writes.advance([outcome(draft.operation_id, 2, null)])
  await writes.advance([outcome(draft.operation_id, 3, null)])
  expect(followed.map(({ to }) => to)).toEqual(['accepted'])
  expect((await thing(id))?.busy_with).toBe(draft.operation_id)
})

test('a draft that its kind cannot write fails alone, and leaves no trace', async () => {
  const [good, bad] = [draftOf(await makeThing()), draftOf(await makeThing(), { input: { fails: true } })]
  const results = await Promise.allSettled([writes.take(good), writes.take(bad)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await countWrites(bad.operation_id)).toBe(0)
  expect(await countWrites(good.operation_id)).toBe(1)
})

test('kinds that share a lock take it once for a batch of all of them, before any of their hooks', async () => {
  const steps: string[] = []
  const lock: NonNullable<WriteKind<object>['lock']> = async (_tx, writes) => {
    steps.push(`lock ${writes.map(({ kind }) => kind).join(' ')}`)
  }
  const kindOf = (kind: WriteKind<object>['kind']): WriteKind<object> => ({
    kind,
    route: kind,
    lock,
    draft: async () => new Map(),
    follow: async (_tx, moves) => void steps.push(`follow ${moves.map((move) => move.kind).join(' ')}`),
  })
  const mixed = createWrites({ ...options, db, kinds: [kindOf('card_freeze'), kindOf('card_close')] })
  const drafts = ['card_freeze', 'card_close'].map((kind) =>
    draftOf(randomUUID(), { kind: kind as Draft<object>['kind'], route: kind }),
  )
  for (const draft of drafts) await mixed.take(draft)
  steps.length = 0
  const news = drafts.map(({ operation_id }) => outcome(operation_id, 3, 'succeeded'))
  await mixed.advance(news)
  expect(steps[0]?.split(' ').toSorted()).toEqual(['card_close', 'card_freeze', 'lock'])
  expect(steps.slice(1).toSorted()).toEqual(['follow card_close', 'follow card_freeze'])
})
