/**
 * The actors that can end or suspend a grant in each state. A change concerns that grant alone, and does nothing if it
 * is no longer allowed.
 */

import { clientNotRegistered } from '@financial-agents/owner-pages/grant-of-owner'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtifactStore } from './artifacts.ts'
import { changeInTurn } from './changes.ts'
import { insertGrant, type StoredGrant } from './grant-rows.test-helper.ts'
import { revokeGrant, revokeGrantForClient, suspendGrant, suspendGrantForOperator } from './grant-status.ts'
import { dayMs, openTestStore, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  await store.apply([spaOf()])
})
afterAll(() => store.close())

const why = { by: 'owner', request_id: null } as const
const now = () => store.clock.now()
const moves: { readonly [name: string]: (grantId: string) => Promise<boolean> } = {
  'an end': (id) => revokeGrant(store.db, id, { ...why, reason: 'revoked_by_owner' }, now()),
  'an end by its client': (id) =>
    revokeGrantForClient(store.db, id, { reason: 'revoked_by_client', by: 'client', request_id: null }, now()),
  'a suspension': (id) => suspendGrant(store.db, id, { ...why, reason: 'again' }, now()),
  'a suspension by an operator': (id) =>
    changeInTurn(store.db, (tx) =>
      suspendGrantForOperator(tx, id, { operator: 'jonas', words: 'It pays strangers.', request_id: null }, now()),
    ),
}

const notRegistered = 'suspended until it is declared again'
type State = StoredGrant | typeof notRegistered

async function insert(state: State): Promise<string> {
  if (state !== notRegistered) return insertGrant(store, state)
  const id = await insertGrant(store, 'suspended')
  await store.read('UPDATE grants SET status_reason = $2 WHERE grant_id = $1', [id, clientNotRegistered])
  return id
}

const all = () => store.read<{ grant_id: string }>('SELECT * FROM grants ORDER BY grant_id')

const moved: readonly (readonly [string, readonly State[]])[] = [
  ['an end', ['active', 'overdue', 'suspended', 'overdue and suspended', notRegistered]],
  ['an end by its client', ['active', 'overdue']],
  ['a suspension', ['active', 'overdue']],
  ['a suspension by an operator', ['active', 'overdue', notRegistered]],
]
const states: readonly State[] = [
  'active',
  'overdue',
  'suspended',
  'overdue and suspended',
  notRegistered,
  'revoked',
  'revoked, and over since',
  'expired',
]

describe.each(moved)('%s', (name, from) => {
  test.each(states)('of a grant that is %s changes that grant alone, or nothing', async (state) => {
    const [id] = [await insert(state), await insert('active'), await insert(notRegistered)]
    const before = new Map((await all()).map((row) => [row.grant_id, JSON.stringify(row)]))
    expect(await moves[name]?.(id)).toBe(from.includes(state))
    const changed = (await all()).filter((row) => before.get(row.grant_id) !== JSON.stringify(row))
    expect(changed.map(({ grant_id }) => grant_id)).toEqual(from.includes(state) ? [id] : [])
    expect(await store.read('SELECT fenced FROM fences WHERE target_id = $1', [id])).toEqual(
      from.includes(state) ? [{ fenced: true }] : [],
    )
  })
})

test('a grant that ends keeps the operator and the reason of its suspension', async () => {
  const id = await insertGrant(store, 'active')
  expect(await moves['a suspension by an operator']?.(id)).toBe(true)
  expect(await moves['an end']?.(id)).toBe(true)
  const kept = 'SELECT status, suspended_by, suspended_why FROM grants WHERE grant_id = $1'
  expect(await store.read(kept, [id])).toEqual([
    { status: 'revoked', suspended_by: 'jonas', suspended_why: 'It pays strangers.' },
  ])
})

test.each(['active', 'suspended', notRegistered] as const)(
  'an end by its client deletes the artifacts of a grant that is %s, and of no other',
  async (state) => {
    const [id, other] = [await insert(state), await insert('suspended')]
    const tokens = createArtifactStore(store.db, store.sealer, 'RefreshToken')
    for (const grantId of [id, other])
      await tokens.record(`token of ${grantId}`, {}, { grantId }, new Date(store.clock.nowMs() + dayMs))
    await moves['an end by its client']?.(id)
    expect(await tokens.find(`token of ${id}`)).toBeUndefined()
    expect(await tokens.find(`token of ${other}`)).toBeDefined()
  },
)
