/**
 * Checks the plans of the operators' queries and of a client's read by id. Each plan uses its indexes, and reads about
 * as many blocks beside many operations as beside few.
 */

import type { FindOperationsRequest } from '@financial-agents/bus/messages/operator'
import { operationKinds } from '@financial-agents/contract/kinds'
import { type Database, type Statement, statement } from '@financial-agents/postgres/database'
import { firstOfRanges } from '@financial-agents/postgres/first-of-ranges'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestOperations, query } from '../operations.test-helper.ts'
import { store, storedOne, storeMany } from '../stored.test-helper.ts'
import { grantActivity } from './grant-activity.ts'
import { findOwned } from './operations.ts'
import { listOf } from './operator-list.ts'
import { overviewStatements } from './overview.ts'

const few = 8_000
const many = 40_000
const manyYoung = 10_000

/** `collects`: the query may use bitmap scans, because it reads whole ranges and not the first rows of ranges. */
type Query = { statement: Statement; values: readonly unknown[]; collects?: boolean }

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const list = (filter: Partial<FindOperationsRequest>) => listOf({ ...filter, after: null, limit: 51 })
/** Asks for fewer operations than the grant has from the start. */
const ofOneGrant = (filter: Partial<FindOperationsRequest>) =>
  listOf({ grant_id: 'grant-7', ...filter, after: null, limit: 5 })
const ofClient = 'operations_client_id_kind_created_at_id_idx'
const ofOwner = 'operations_owner_id_client_id_created_at_id_idx'
const grants = 'grants_pkey'
const flying = 'in_flight_pkey'
const page = 'operations_pkey'

/** Each query with the indexes that answer it. */
const questions: Record<string, { asked: Query; by: string[] }> = {
  everything: { asked: list({}), by: [ofClient, page] },
  'the next page': {
    asked: listOf({
      after: { created_at: ago(10).toISOString(), id: '01990000-0000-7000-8000-000000000000' },
      limit: 51,
    }),
    by: [ofClient, page],
  },
  'a common outcome': { asked: list({ state: 'succeeded' }), by: [ofClient, page] },
  'a rare outcome': { asked: list({ state: 'cancelled' }), by: ['unsuccessful_of_kind', page] },
  'a state in flight': { asked: list({ state: 'indeterminate' }), by: [flying, page] },
  'a common kind': { asked: list({ kind: 'transfer' }), by: [ofClient, page] },
  'a rare kind': { asked: list({ kind: 'card_close' }), by: [ofClient, page] },
  'a common client': { asked: list({ client_id: 'client-one' }), by: [ofClient, page] },
  'a rare client': { asked: list({ client_id: 'client-old' }), by: [ofClient, page] },
  'an age': { asked: list({ created_until: ago(9).toISOString() }), by: [ofClient, page] },
  'a kind and an outcome': {
    asked: list({ kind: 'card_create', state: 'failed' }),
    by: ['unsuccessful_of_kind', page],
  },
  'a client and an outcome': {
    asked: list({ client_id: 'client-one', state: 'failed' }),
    by: ['unsuccessful_of_client', page],
  },
  'a client and a kind': { asked: list({ client_id: 'client-one', kind: 'card_close' }), by: [ofClient, page] },
  'a client, a kind and an outcome, of an age': {
    asked: list({ client_id: 'client-one', kind: 'card_create', state: 'failed', created_until: ago(9).toISOString() }),
    by: ['unsuccessful_of_client', page],
  },
  'a client in flight': { asked: list({ client_id: 'client-old', state: 'submitted' }), by: [flying, page] },
  'a grant': { asked: ofOneGrant({}), by: [grants, ofOwner, page] },
  'a grant and a rare kind': { asked: ofOneGrant({ kind: 'card_close' }), by: [grants, ofOwner, page] },
  'a grant and an outcome': { asked: ofOneGrant({ state: 'cancelled' }), by: ['unsuccessful_of_grant', page] },
  'a grant of another client': {
    asked: ofOneGrant({ client_id: 'client-old', state: 'succeeded' }),
    by: [grants, ofOwner, page],
  },
  'a grant in flight': { asked: ofOneGrant({ state: 'accepted' }), by: [flying, page] },
  'a failure code': { asked: list({ failure_code: 'provider_timeout' }), by: ['unsuccessful_of_kind', flying, page] },
  'a failure code of a client': {
    asked: list({ failure_code: 'provider_timeout', client_id: 'client-one' }),
    by: ['unsuccessful_of_client', flying, page],
  },
  'the provider’s reference': { asked: list({ upstream_reference: 'nobody’s' }), by: [ofClient, page] },
  'one person': { asked: listOf({ of_owner_of: ['grant-7'], after: null, limit: 5 }), by: [grants, ofOwner, page] },
  'a stretch of time': {
    asked: list({ created_from: ago(12).toISOString(), created_until: ago(9).toISOString() }),
    by: [ofClient, page],
  },
  'some by name': { asked: list({ operation_ids: ['01990000-0000-7000-8000-000000000000'] }), by: [page] },
  'reads by a client of one operation each': {
    asked: {
      statement: findOwned,
      values: [['01990000-0000-7000-8000-000000000000'], ['owner-one'], ['subject-one'], ['client-one']],
    },
    by: [page],
  },
  'what grants did': {
    asked: {
      statement: grantActivity,
      values: [Array.from({ length: 50 }, (_one, index) => `grant-${index}`)],
    },
    by: [grants, ofOwner, flying, page],
  },
  'how much is in flight': {
    asked: { statement: overviewStatements.inFlight, values: [new Date(), [60, 300]] },
    by: [flying, page],
  },
  'the oldest in flight': { asked: { statement: overviewStatements.oldest, values: [20] }, by: [flying, page] },
  'outcomes of the last hours': {
    asked: { statement: overviewStatements.ended, values: [[ago(4)], [ago(0)]], collects: true },
    by: ['history_at_idx'],
  },
  'creations of the last hours': {
    asked: { statement: overviewStatements.created, values: [[ago(4)], [ago(0)]] },
    by: [ofClient],
  },
  'failures of the last hours': {
    asked: { statement: overviewStatements.failures, values: [operationKinds, ['failed', 'cancelled'], ago(4)] },
    by: ['unsuccessful_of_kind', page],
  },
}

const ask = <Row>(db: Database, { statement, values, collects }: Query) =>
  collects ? db.rows<Row>(statement, values) : firstOfRanges<Row>(db, statement, values)

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
  'Relation Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

async function explained({ statement: { text }, ...asked }: Query): Promise<{ indexes: string[]; blocks: number }> {
  const explain = statement('', `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`)
  const [row] = await ask<{ 'QUERY PLAN': [{ Plan: Plan }] }>(db, { ...asked, statement: explain })
  const plan = row?.['QUERY PLAN'][0].Plan
  if (!plan) throw new Error('PostgreSQL explains nothing')
  const nodes = flat(plan)
  // The batches accepted in the last seconds are read as a whole.
  const whole = nodes.filter(
    (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'in_flight_batches',
  )
  expect(whole).toEqual([])
  const indexes = [...new Set(nodes.flatMap((node) => node['Index Name']?.replace('_rest', '') ?? []))]
    // Every list reads the payments of its page by this index.
    .filter((index) => index !== 'transfers_operation_id_key')
    .toSorted()
  return { indexes, blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] }
}

function flat(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flat)]
}

test('each question has its index, and costs the same beside several times as many operations', async () => {
  await storeMany(db, 0, few)
  for (const table of ['operations', 'history', 'unsuccessful', 'grants']) await query(db, `VACUUM ANALYZE ${table}`)
  const before = new Map<string, number>()
  for (const [name, { asked }] of Object.entries(questions)) before.set(name, (await explained(asked)).blocks)
  await storeMany(db, few, many)
  for (const table of ['operations', 'history', 'unsuccessful', 'grants']) await query(db, `VACUUM ANALYZE ${table}`)
  for (const [name, { asked, by }] of Object.entries(questions)) {
    const { indexes, blocks } = await explained(asked)
    expect(indexes, name).toEqual(by.toSorted())
    // A larger index is one level deeper at most.
    const window = asked.values[6] === 1_000 ? 5_000 : 0
    expect(blocks, name).toBeLessThan(Math.max(window, 2 * Number(before.get(name)) + 40))
  }
})

test('a plan that was kept from when the table was young does not read it all either', async () => {
  const young = await openTestOperations()
  // One connection, which keeps its plans.
  const early = young.open()
  const askAll = async () => {
    for (const { asked } of Object.values(questions)) await ask(early, asked)
  }
  const read = async () => {
    await early.rows(statement('', 'SELECT pg_stat_force_next_flush()'))
    const [row] = await query<{ entries: number }>(
      early,
      `SELECT sum(idx_tup_read)::bigint + (SELECT seq_tup_read FROM pg_stat_user_tables
        WHERE schemaname = $1 AND relname = 'operations_rest') AS entries
      FROM pg_stat_user_indexes WHERE schemaname = $1 AND relname = 'operations_rest'`,
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
    await ask(early, asked)
    // A query whose filter has no index looks through a thousand operations of each merged list, however long the list
    // is.
    expect((await read()) - before, name).toBeLessThan(name.startsWith('the provider’s') ? 3_000 : manyYoung / 10)
  }
  await young.close()
})
