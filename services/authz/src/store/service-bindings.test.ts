/** The service accounts whose connection is not fixed yet. A connection is fixed once, for that account alone. */

import { afterAll, beforeEach, expect, test } from 'vitest'
import { grantOfService, insertGrant } from './grant-rows.test-helper.ts'
import { fixBinding, listUnfixed } from './service-bindings.ts'
import { openTestStore, ownerId, serviceOf, spaOf } from './test-store.test-helper.ts'

const store = await openTestStore()
afterAll(() => store.close())

let [one, two]: string[] = []

beforeEach(async () => {
  await store.read('DELETE FROM grants')
  await store.apply([])
  await store.apply([spaOf(), serviceOf({ client_id: 'agent-1' }), serviceOf({ client_id: 'agent-2' })])
  ;[one, two] = [await grantOfService(store, 'agent-1'), await grantOfService(store, 'agent-2')]
})

const unfixed = async () => new Set((await listUnfixed(store.db, 10)).map(({ grant_id }) => grant_id))
const fixed = () => store.read('SELECT grant_id, binding_id FROM grants WHERE binding_id IS NOT NULL')

test('fixBinding fixes the connection of that account alone, and only once', async () => {
  expect(await fixBinding(store.db, String(one), 'first')).toBe('first')
  expect(await fixBinding(store.db, String(one), 'second')).toBe('first')
  expect(await fixed()).toEqual([{ grant_id: one, binding_id: 'first' }])
})

test('the grant of an owner has no connection of its own', async () => {
  const id = await insertGrant(store, 'active')
  expect(await fixBinding(store.db, id, 'first')).toBeNull()
  expect(await fixed()).toEqual([])
})

test('listUnfixed returns active service accounts without a connection, each with its latest declaration', async () => {
  await insertGrant(store, 'active')
  expect(await unfixed()).toEqual(new Set([one, two]))
  await fixBinding(store.db, String(one), 'first')
  expect(await unfixed()).toEqual(new Set([two]))
  const declared_at = new Date('2026-05-03T10:00:00.000Z')
  await store.read('UPDATE grants SET declared_at = $2 WHERE grant_id = $1', [two, declared_at])
  expect(await listUnfixed(store.db, 10)).toEqual([{ grant_id: two, owner_id: ownerId, declared_at }])
  await store.read(`UPDATE grants SET status = 'suspended' WHERE grant_id = $1`, [two])
  expect(await unfixed()).toEqual(new Set())
})
