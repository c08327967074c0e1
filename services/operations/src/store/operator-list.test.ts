import type { FindOperationsRequest } from '@financial-agents/bus/messages/operator'
import { operationKinds } from '@financial-agents/contract/kinds'
import { operationStates } from '@financial-agents/contract/machine'
import type { Database } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, openTestOperations, query } from '../operations.test-helper.ts'
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
    const { operations, next } = await listOperatorOperations(db, { ...filter, after, limit })
    ids.push(...operations.map((row) => row.operation_id))
    if (!next) return ids
    after = next
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
  expect(expected({})).toHaveLength(3 * operationKinds.length * operationStates.length)
})

describe('filters that no index holds', () => {
  const mandate = newId()
  const trace = 'a'.repeat(32)
  const made: Stored[] = []

  beforeAll(async () => {
    await query(db, `DELETE FROM transfers`)
    for (let index = 0; index < 40; index += 1)
      made.push(
        storedOne({ created_at: new Date(beganMs + 3_600_000 + index * 1_000), client_id: `client-${index % 3}` }),
      )
    await store(db, made)
    await query(
      db,
      `INSERT INTO transfers (id, operation_id, owner_id, client_id, mandate_id, beneficiary_id, amount, currency, day, created_at)
      SELECT id, id, owner_id, client_id, CASE WHEN id = $2 THEN $3::uuid END, id, row_number() OVER (ORDER BY created_at), 'EUR', current_date, created_at
      FROM operations WHERE id = ANY ($1::uuid[])`,
      [made.map(({ id }) => id), made[4]?.id, mandate],
    )
    await query(
      db,
      `UPDATE operations SET upstream_reference = 'theirs', failure_code = 'provider_refused', traceparent = '00-' || $2 || '-b7ad6b7169203331-01'
      WHERE id = $1`,
      [made[4]?.id, trace],
    )
    await query(db, `UPDATE operations SET updated_at = '2030-01-01T00:00:00Z', mandate_id = $2 WHERE id = $1`, [
      made[5]?.id,
      mandate,
    ])
  })
  afterAll(() => query(db, 'DELETE FROM operations WHERE id = ANY ($1::uuid[])', [made.map(({ id }) => id)]))

  test.each([
    ['a resource', () => ({ resource_id: String(made[4]?.id) }), [4]],
    ['the provider’s reference', () => ({ upstream_reference: 'theirs' }), [4]],
    ['a trace', () => ({ trace_id: trace }), [4]],
    ['a mandate', () => ({ mandate_id: mandate }), [5, 4]],
    ['amounts', () => ({ amount_from: '38.5', amount_to: '40' }), [39, 38]],
    ['the smallest amounts', () => ({ amount_to: '2' }), [1, 0]],
    ['when it ended', () => ({ ended_from: '2029-01-01T00:00:00Z', ended_until: '2031-01-01T00:00:00Z' }), [5]],
    ['when it was made', () => ({ created_from: String(made[38]?.created_at.toISOString()) }), [39, 38]],
    ['a failure code and a state', () => ({ state: 'succeeded', failure_code: 'provider_refused' }) as const, [4]],
  ])('find by %s', async (_name, filter, wanted) => {
    expect(await walk(filter(), 1)).toEqual(wanted.map((index) => made[index]?.id))
  })

  test('a search in vain tells how far it looked, and ends at the end of the list', async () => {
    let after: FindOperationsRequest['after'] = null
    let pages = 0
    do {
      const page = await listOperatorOperations(db, { upstream_reference: 'nobody’s', after, limit: 10 })
      expect(page.operations).toEqual([])
      after = page.next
      pages += 1
    } while (after)
    expect(pages).toBe(1)
  })

  test('a payment is shown with its amount, and everything else without', async () => {
    const { operations } = await listOperatorOperations(db, { resource_id: String(made[4]?.id), after: null, limit: 1 })
    expect(operations[0]).toMatchObject({ payment: { amount: '5', currency: 'EUR' }, trace_id: trace })
    const others = await listOperatorOperations(db, { kind: 'card_close', after: null, limit: 1 })
    expect(others.operations[0]).toMatchObject({ payment: null, trace_id: null })
  })
})

test('a failure code without a state is found among what failed, was cancelled or is in flight', async () => {
  const codes = await walk({ failure_code: 'provider_timeout' }, 3)
  expect(codes).toEqual([])
  const id = String(stored.find(({ state }) => state === 'cancelled')?.id)
  await query(db, `UPDATE operations SET failure_code = 'provider_timeout' WHERE id = $1`, [id])
  const of = stored.find((one) => one.id === id)
  for (const whose of [{}, { client_id: String(of?.client_id) }, { grant_id: String(of?.grant_id) }])
    expect(await walk({ failure_code: 'provider_timeout', ...whose }, 3)).toEqual([id])
})

test('one owner’s operations come together from all clients, named by any of the grants', async () => {
  const all = await walk({ of_owner_of: ['grant-1', 'nothing'] }, 50)
  expect(all).toEqual(expected({}))
  const filter = { state: 'failed', kind: 'transfer', client_id: 'client-two' } as const
  expect(await walk({ ...filter, of_owner_of: ['grant-1'] }, 2)).toEqual(expected(filter))
  expect(await walk({ of_owner_of: [] }, 50)).toEqual([])
})

test('a page holds as many as were asked for', async () => {
  expect((await listOperatorOperations(db, { after: null, limit: 3 })).operations).toHaveLength(3)
  expect((await listOperatorOperations(db, { after: null, limit: 100 })).operations).toHaveLength(100)
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
    { created_until: '0000-01-01T00:00:00Z' },
    { created_from: '9999-12-31T23:59:59-14:00' },
    { ended_until: '0000-01-01T00:00:00Z' },
  ])
    expect(await listOperatorOperations(db, { ...first, ...filter })).toEqual({ operations: [], next: null })
})

test('an id that is named twice is found once', async () => {
  const id = String(stored[0]?.id)
  expect((await listOperatorOperations(db, { ...first, operation_ids: [id, id] })).operations).toHaveLength(1)
})

test('neither owner nor binding, page of approval or facts of the resource is shown', async () => {
  const {
    operations: [row],
  } = await listOperatorOperations(db, first)
  expect(JSON.stringify(row)).not.toContain('secret')
  expect(Object.keys(row ?? {}).toSorted()).toEqual([
    'client_id',
    'created_at',
    'failure_code',
    'failure_detail',
    'grant_id',
    'kind',
    'mandate_id',
    'next_reconcile_at',
    'operation_id',
    'payment',
    'resource_id',
    'resource_type',
    'state',
    'subject',
    'trace_id',
    'updated_at',
    'upstream_reference',
  ])
})
