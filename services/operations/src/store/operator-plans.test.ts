/** The plans of the operators' queries: their indexes, and blocks read that stay the same beside many operations. */

import type { FindOperationsRequest } from '@financial-agents/bus/messages/operator'
import { operationKinds } from '@financial-agents/operation-machine/kinds'
import { terminalStates } from '@financial-agents/operation-machine/machine'
import { type Database, type Statement, statement } from '@financial-agents/postgres/database'
import { firstOfRanges } from '@financial-agents/postgres/first-of-ranges'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestOperations, query } from '../operations.test-helper.ts'
import { store, storedOne, storeMany } from '../stored.test-helper.ts'
import { activityOf, grantActivity } from './grant-activity.ts'
import { listOf } from './operator-list.ts'
import { overviewStatements } from './overview.ts'

const few = 8_000
const many = 40_000
const manyYoung = 10_000

type Asked = { statement: Statement; values: readonly unknown[] }

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const list = (filter: Partial<FindOperationsRequest>) => listOf({ ...filter, after: null, limit: 51 })
/** Fewer than the grant has had from the start. */
const ofOneGrant = (filter: Partial<FindOperationsRequest>) =>
  listOf({ grant_id: 'grant-7', ...filter, after: null, limit: 5 })
const ended = 'operations_ended'
const ofClient = 'operations_ended_of_client'
const ofGrant = 'operations_ended_of_grant'
const flying = 'operations_unsettled'
const page = 'operations_pkey'

/** Each query with the indexes that answer it. */
const questions: Record<string, { asked: Asked; by: string[] }> = {
  everything: { asked: list({}), by: [ended, flying, page] },
  'the next page': {
    asked: listOf({
      after: { created_at: ago(10).toISOString(), id: '01990000-0000-7000-8000-000000000000' },
      limit: 51,
    }),
    by: [ended, flying, page],
  },
  'a common outcome': { asked: list({ state: 'succeeded' }), by: [ended, page] },
  'a rare outcome': { asked: list({ state: 'cancelled' }), by: [ended, page] },
  'a state in flight': { asked: list({ state: 'indeterminate' }), by: [flying, page] },
  'a common kind': { asked: list({ kind: 'transfer' }), by: [ended, flying, page] },
  'a rare kind': { asked: list({ kind: 'card_close' }), by: [ended, flying, page] },
  'a common client': { asked: list({ client_id: 'client-one' }), by: [ofClient, flying, page] },
  'a rare client': { asked: list({ client_id: 'client-old' }), by: [ofClient, flying, page] },
  'an age': { asked: list({ created_until: ago(9).toISOString() }), by: [ended, flying, page] },
  'a kind and an outcome': { asked: list({ kind: 'card_create', state: 'failed' }), by: [ended, page] },
  'a client and an outcome': { asked: list({ client_id: 'client-one', state: 'failed' }), by: [ofClient, page] },
  'a client and a kind': { asked: list({ client_id: 'client-one', kind: 'card_close' }), by: [ofClient, flying, page] },
  'a client, a kind and an outcome, of an age': {
    asked: list({ client_id: 'client-one', kind: 'card_create', state: 'failed', created_until: ago(9).toISOString() }),
    by: [ofClient, page],
  },
  'a client in flight': { asked: list({ client_id: 'client-old', state: 'submitted' }), by: [flying, page] },
  'a grant': { asked: ofOneGrant({}), by: [ofGrant, flying, page] },
  'a grant and a rare kind': { asked: ofOneGrant({ kind: 'card_close' }), by: [ofGrant, flying, page] },
  'a grant and an outcome': { asked: ofOneGrant({ state: 'cancelled' }), by: [ofGrant, page] },
  'a grant of another client': {
    asked: ofOneGrant({ client_id: 'client-old', state: 'succeeded' }),
    by: [ofGrant, page],
  },
  'a grant in flight': { asked: ofOneGrant({ state: 'accepted' }), by: [flying, page] },
  'some by name': { asked: list({ operation_ids: ['01990000-0000-7000-8000-000000000000'] }), by: [page] },
  'what grants did': {
    asked: {
      statement: grantActivity,
      values: activityOf(Array.from({ length: 50 }, (_one, index) => `grant-${index}`)),
    },
    by: [ofGrant, flying, page],
  },
  'how much is in flight': {
    asked: { statement: overviewStatements.inFlight, values: [new Date(), [60, 300], ago(24)] },
    by: [flying],
  },
  'the oldest in flight': { asked: { statement: overviewStatements.oldest, values: [20] }, by: [flying] },
  'outcomes of the last hours': {
    asked: { statement: overviewStatements.ended, values: [[ago(4)], [ago(0)]] },
    by: ['operations_settled'],
  },
  'creations of the last hours': {
    asked: { statement: overviewStatements.created, values: [operationKinds, terminalStates, [ago(4)], [ago(0)]] },
    by: [ended],
  },
  'failures of the last hours': {
    asked: { statement: overviewStatements.failures, values: [operationKinds, ['failed', 'cancelled'], ago(4)] },
    by: [ended],
  },
}

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
  await store(
    db,
    Array.from({ length: 30 }, (_one, index) => storedOne({ state: index % 2 ? 'indeterminate' : 'submitted' })),
  )
})
afterAll(() => tables.close())

type Plan = {
  'Index Name'?: string
  'Node Type': string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

async function explained({ statement: { text }, values }: Asked): Promise<{ indexes: string[]; blocks: number }> {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    db,
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  )
  const plan = row?.['QUERY PLAN'][0].Plan
  if (!plan) throw new Error('PostgreSQL explains nothing')
  const nodes = flat(plan)
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  const indexes = [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))].toSorted()
  return { indexes, blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
}

function flat(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flat)]
}

test('each question has its index, and costs the same beside several times as many operations', async () => {
  await storeMany(db, 0, few)
  await query(db, 'VACUUM ANALYZE operations')
  const before = new Map<string, number>()
  for (const [name, { asked }] of Object.entries(questions)) before.set(name, (await explained(asked)).blocks)
  await storeMany(db, few, many)
  await query(db, 'VACUUM ANALYZE operations')
  for (const [name, { asked, by }] of Object.entries(questions)) {
    const { indexes, blocks } = await explained(asked)
    expect(indexes, name).toEqual(by.toSorted())
    // A larger index is one level deeper at most.
    expect(blocks, name).toBeLessThan(2 * Number(before.get(name)) + 40)
  }
})

test('a plan that was kept from when the table was young does not read it all either', async () => {
  const young = await openTestOperations()
  // One connection, which keeps its plans.
  const early = young.open()
  const askAll = async () => {
    for (const { asked } of Object.values(questions)) await firstOfRanges(early, asked.statement, asked.values)
  }
  const read = async () => {
    await early.rows(statement('', 'SELECT pg_stat_force_next_flush()'))
    const [row] = await query<{ entries: number }>(
      early,
      `SELECT sum(idx_tup_read)::bigint + (SELECT seq_tup_read FROM pg_stat_user_tables
        WHERE schemaname = $1 AND relname = 'operations') AS entries
      FROM pg_stat_user_indexes WHERE schemaname = $1 AND relname = 'operations'`,
      [young.schema],
    )
    return Number(row?.entries)
  }
  await storeMany(early, 0, 300)
  // More often than PostgreSQL waits before it keeps a plan.
  for (let round = 0; round < 8; round += 1) await askAll()
  await storeMany(early, 300, manyYoung)
  for (const [name, { asked }] of Object.entries(questions)) {
    const before = await read()
    await firstOfRanges(early, asked.statement, asked.values)
    expect((await read()) - before, name).toBeLessThan(manyYoung / 10)
  }
  await young.close()
})
