import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAccessGiven } from './access-given.ts'
import { openTestStore, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  await store.apply([spaOf()])
})
afterAll(() => store.close())

test('each new grant is listed once, oldest first and page by page; a wider consent is no new grant', async () => {
  const since = new Date(store.clock.nowMs() - 1).toISOString()
  const owners = [randomUUID(), randomUUID(), randomUUID()]
  for (const owner_id of owners) await store.consent({ owner_id })
  await store.consent({ owner_id: owners[0] as string, scopes: ['beneficiaries:read'] })
  const all = await listAccessGiven(store.db, { since, after: null, limit: 100 })
  expect(new Set(all.map(({ owner_id }) => owner_id))).toEqual(new Set(owners))
  expect(all).toHaveLength(owners.length)
  expect(all[0]).toMatchObject({ client_id: 'app', given_by: 'owner' })
  const [first] = await listAccessGiven(store.db, { since, after: null, limit: 1 })
  if (!first) throw new Error('nothing is listed')
  expect(first).toEqual(all[0])
  expect(await listAccessGiven(store.db, { since, after: first, limit: 100 })).toEqual(all.slice(1))
})
