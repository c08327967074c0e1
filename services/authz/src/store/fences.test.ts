/**
 * Wanted, leased and confirmed fences. Each concerns its own target, and only a change of the wanted state increments
 * the version.
 */

import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Fence,
  findFence,
  leaseFences,
  listUnconfirmedOfClient,
  recordFenceConfirmed,
  recordFencesWanted,
  recordFenceUnanswered,
  recordFenceWanted,
} from './fences.ts'
import { insertGrant } from './grant-rows.test-helper.ts'
import { openTestStore, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore
beforeEach(async () => {
  store = await openTestStore()
})
afterEach(() => store.close())

const start = new Date('2026-11-20T10:00:00.000Z')
const after = (ms: number) => new Date(start.getTime() + ms)
const leaseMs = 10_000
const lease = (atMs: number) => leaseFences(store.db, after(atMs), after(atMs + leaseMs), 10)
const want = (target: Fence['target'], target_id: string, fenced = true) =>
  recordFenceWanted(store.db, { target, target_id, fenced, reason: 'test' })
const named = (fences: readonly Fence[]) => fences.map(({ target, target_id }) => `${target} ${target_id}`).toSorted()

test('wanting the same state again does not increment the version, so a confirmation stays valid', async () => {
  await want('grant', 'one')
  const [fence] = await lease(0)
  await recordFenceConfirmed(store.db, fence as Fence)
  await want('grant', 'one')
  await recordFencesWanted(store.db, { target: 'grant', target_ids: ['one'], fenced: true, reason: 'again' })
  expect(await findFence(store.db, fence as Fence)).toMatchObject({ version: 1, confirmed: true })
  await want('grant', 'one', false)
  expect(await findFence(store.db, fence as Fence)).toMatchObject({ version: 2, confirmed: false, fenced: false })
})

test('findFence returns the state of that target and id only', async () => {
  await want('grant', 'one')
  await want('client', 'one', false)
  expect(await findFence(store.db, { target: 'grant', target_id: 'one' })).toMatchObject({ fenced: true })
  expect(await findFence(store.db, { target: 'client', target_id: 'one' })).toMatchObject({ fenced: false })
  expect(await findFence(store.db, { target: 'client', target_id: 'two' })).toBeUndefined()
})

test('a confirmation changes only the fence of that target and id', async () => {
  await want('grant', 'one')
  await want('grant', 'two')
  await want('client', 'one')
  const fences = await lease(0)
  await recordFenceConfirmed(
    store.db,
    fences.find((each) => each.target === 'grant' && each.target_id === 'one') as Fence,
  )
  expect(named(await lease(leaseMs))).toEqual(['client one', 'grant two'])
})

test('a fence is leased again after its own lease expired or was released', async () => {
  await want('grant', 'one')
  await want('grant', 'two')
  await want('client', 'one')
  const fences = await lease(0)
  expect(await lease(leaseMs - 1)).toEqual([])
  await recordFenceUnanswered(
    store.db,
    fences.find((each) => each.target === 'grant' && each.target_id === 'one') as Fence,
  )
  expect(named(await lease(1))).toEqual(['grant one'])
  expect(named(await lease(leaseMs))).toEqual(['client one', 'grant two'])
})

test('the confirmation of an older request does not confirm a later version', async () => {
  await want('grant', 'one')
  const [old] = await lease(0)
  await want('grant', 'one', false)
  const [now] = await lease(leaseMs)
  await recordFenceConfirmed(store.db, now as Fence)
  await recordFenceConfirmed(store.db, old as Fence)
  expect(await findFence(store.db, old as Fence)).toMatchObject({ version: 2, confirmed: true })
})

test('the unconfirmed fences of a client are those of its own grants that ended or are suspended', async () => {
  await store.apply([spaOf(), spaOf({ client_id: 'app-2' })])
  const suspended = await insertGrant(store, 'suspended')
  const ended = await insertGrant(store, 'revoked')
  const confirmed = await insertGrant(store, 'suspended')
  const resumed = await insertGrant(store, 'active')
  const ofAnother = await insertGrant(store, 'suspended', { client_id: 'app-2' })
  for (const id of [suspended, ended, confirmed, resumed, ofAnother]) await want('grant', id)
  await want('grant', resumed, false)
  await want('client', 'app')
  const fence = await findFence(store.db, { target: 'grant', target_id: confirmed })
  await recordFenceConfirmed(store.db, fence as Fence)
  expect(named(await listUnconfirmedOfClient(store.db, 'app', 10))).toEqual(
    [suspended, ended].map((id) => `grant ${id}`).toSorted(),
  )
  expect(await listUnconfirmedOfClient(store.db, 'app', 1)).toHaveLength(1)
})
