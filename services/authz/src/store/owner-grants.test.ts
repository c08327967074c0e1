import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeGrant } from './grant-status.ts'
import { listGrantsOfOwner } from './owner-grants.ts'
import { dayMs, openTestStore, ownerId, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  await store.apply([spaOf()])
})
afterAll(() => store.close())

test('the grants of an owner are listed with client, policy and last use; those that ended only for thirty days', async () => {
  const { grant_id } = await store.consent()
  const at = store.clock.now()
  await store.read(
    `INSERT INTO audit (at, event, client_id, grant_id, actor, detail) VALUES ($1, 'token_refreshed', 'app', $2, 'client', '{}')`,
    [at, grant_id],
  )
  const [listed, ...more] = await listGrantsOfOwner(store.db, ownerId, store.clock.now())
  expect(more).toEqual([])
  expect(listed).toMatchObject({ grant_id, kind: 'human', client_name: 'An app', profile: 'spa', status: 'active' })
  expect(listed).toMatchObject({ last_used_at: at, client_status: 'active' })
  await revokeGrant(
    store.db,
    grant_id,
    { reason: 'revoked_by_owner', by: 'owner', request_id: null },
    store.clock.now(),
  )
  const after = (days: number) => new Date(store.clock.nowMs() + days * dayMs)
  expect(await listGrantsOfOwner(store.db, ownerId, after(29))).toMatchObject([{ status: 'revoked' }])
  expect(await listGrantsOfOwner(store.db, ownerId, after(31))).toEqual([])
})
