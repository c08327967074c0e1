import type { FindOperationsRequest } from '@financial-agents/bus/messages/operator'
import { operationKinds } from '@financial-agents/operation-machine/kinds'
import { operationStates } from '@financial-agents/operation-machine/machine'
import type { Database } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, openTestOperations } from '../operations.test-helper.ts'
import { type Stored, store, storedOne } from '../stored.test-helper.ts'
import { listOperatorOperations } from './operator-list.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database
let stored: Stored[]

const clients = ['client-one', 'client-two', 'client-three']
/** Two grants of each client. */
const grantOf = (index: number) => `grant-${(index % clients.length) + clients.length * (index % 2)}`
const beganMs = Date.parse('2026-05-01T10:00:00.000Z')

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
  // Every state of every kind, seven at each moment, so that the order by id decides.
  const pairs = operationKinds.flatMap((kind) => operationStates.map((state) => ({ kind, state })))
  stored = [...pairs, ...pairs, ...pairs].map((pair, index) =>
    storedOne({
      ...pair,
      client_id: String(clients[index % clients.length]),
      grant_id: grantOf(index),
      created_at: new Date(beganMs + Math.floor(index / 7) * 1_000),
    }),
  )
  await store(db, stored)
})
afterAll(() => tables.close())

const first = { after: null, limit: 100 }

async function walk(filter: Partial<FindOperationsRequest>, limit: number): Promise<string[]> {
  const ids: string[] = []
  let after: FindOperationsRequest['after'] = null
  for (;;) {
    const rows = await listOperatorOperations(db, { ...filter, after, limit })
    ids.push(...rows.map((row) => row.operation_id))
    const last = rows.at(-1)
    if (!last || rows.length < limit) return ids
    after = { created_at: last.created_at, id: last.operation_id }
  }
}

function expected(filter: Partial<FindOperationsRequest>): string[] {
  const { state, kind, client_id, grant_id, created_until, operation_ids } = filter
  return stored
    .filter((one) => grant_id === undefined || one.grant_id === grant_id)
    .filter((one) => state === undefined || one.state === state)
    .filter((one) => kind === undefined || one.kind === kind)
    .filter((one) => client_id === undefined || one.client_id === client_id)
    .filter((one) => created_until === undefined || one.created_at <= new Date(created_until))
    .filter((one) => operation_ids === undefined || operation_ids.includes(one.id))
    .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1))
    .map((one) => one.id)
}

test('every combination of filters finds exactly what it names, newest first, each once over all pages', async () => {
  const until = new Date(beganMs + 20_000).toISOString()
  for (const state of [undefined, 'succeeded', 'cancelled', 'indeterminate', 'requires_action'] as const)
    for (const kind of [undefined, 'transfer', 'card_close'] as const)
      for (const [client_id, grant_id] of [
        [],
        ['client-two'],
        [undefined, 'grant-1'],
        ['client-two', 'grant-1'],
        ['client-one', 'grant-1'],
      ])
        for (const created_until of [undefined, until])
          for (const operation_ids of [
            undefined,
            stored.filter((_one, index) => index % 5 === 0).map((one) => one.id),
          ]) {
            const given = { state, kind, client_id, grant_id, created_until, operation_ids }
            const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
            const wanted = expected(filter)
            expect(await walk(filter, 9), JSON.stringify({ ...given, operation_ids: undefined })).toEqual(wanted)
          }
  expect(expected({})).toHaveLength(264)
})

test('a page holds as many as were asked for', async () => {
  expect(await listOperatorOperations(db, { after: null, limit: 3 })).toHaveLength(3)
  expect(await listOperatorOperations(db, { after: null, limit: 100 })).toHaveLength(100)
})

test('a filter that names nothing finds nothing', async () => {
  for (const filter of [
    { client_id: 'nobody' },
    { client_id: 'client-one\0' },
    { grant_id: 'grant-1\0' },
    { grant_id: 'grant-9' },
    { grant_id: 'grant-1', client_id: 'client-one' },
    { operation_ids: [] },
    { operation_ids: [newId(), 'no id'] },
    { created_until: '2020-01-01T00:00:00.000Z' },
  ])
    expect(await listOperatorOperations(db, { ...first, ...filter })).toEqual([])
})

test('an id that is named twice is found once', async () => {
  const id = String(stored[0]?.id)
  expect(await listOperatorOperations(db, { ...first, operation_ids: [id, id] })).toHaveLength(1)
})

test('neither owner nor binding, page of approval or facts of the resource is told', async () => {
  const [row] = await listOperatorOperations(db, first)
  expect(JSON.stringify(row)).not.toContain('secret')
  expect(Object.keys(row ?? {}).toSorted()).toEqual([
    'client_id',
    'created_at',
    'failure_code',
    'failure_detail',
    'grant_id',
    'kind',
    'next_reconcile_at',
    'operation_id',
    'resource_id',
    'resource_type',
    'state',
    'subject',
    'updated_at',
    'upstream_reference',
  ])
})
