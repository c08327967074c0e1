import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuditOfGrant } from './audit.test-helper.ts'
import { createAuditor } from './audit.ts'
import { revokeGrant } from './grant-status.ts'
import { openTestStore, ownerId, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  await store.apply([spaOf()])
})
afterAll(() => store.close())

test('the audit records every event of a grant with actor, time, owner and address', async () => {
  const { grant_id } = await store.consent({ remote_address: '192.0.2.7' })
  store.clock.setOffsetMs(1_000)
  const audit = createAuditor(store.db)
  const about = { at: store.clock.now(), client_id: 'app', owner_id: ownerId, request_id: 'r', remote_address: '::1' }
  await audit({ ...about, event: 'token_refreshed', grant_id, actor: 'client', detail: { scope: 'operations:read' } })
  await audit({ ...about, event: 'signed_in', client_id: null, grant_id: null, actor: 'owner', detail: {} })
  store.clock.setOffsetMs(2_000)
  const why = { reason: 'revoked_by_owner', by: 'owner', request_id: 'request-2' } as const
  await revokeGrant(store.db, grant_id, why, store.clock.now())
  expect(await readAuditOfGrant(store.db, grant_id)).toEqual([
    { at: expect.any(Date), event: 'grant_revoked', actor: 'owner', detail: { reason: 'revoked_by_owner' } },
    { at: expect.any(Date), event: 'token_refreshed', actor: 'client', detail: { scope: 'operations:read' } },
    {
      at: expect.any(Date),
      event: 'consented',
      actor: 'owner',
      detail: { scopes: ['operations:read'], openid: false, policy: expect.any(Object) },
    },
    { at: expect.any(Date), event: 'grant_created', actor: 'owner', detail: {} },
  ])
  const rows = await store.read(
    `SELECT event, owner_id, request_id, remote_address FROM audit WHERE owner_id IS NOT NULL ORDER BY id`,
  )
  expect(rows).toEqual([
    { event: 'grant_created', owner_id: ownerId, request_id: 'request-of-test', remote_address: '192.0.2.7' },
    { event: 'consented', owner_id: ownerId, request_id: 'request-of-test', remote_address: '192.0.2.7' },
    { event: 'token_refreshed', owner_id: ownerId, request_id: 'r', remote_address: '::1' },
    { event: 'signed_in', owner_id: ownerId, request_id: 'r', remote_address: '::1' },
    { event: 'grant_revoked', owner_id: ownerId, request_id: 'request-2', remote_address: null },
  ])
})

test('entries that are written at once are all kept, and one that cannot be written fails alone', async () => {
  const audit = createAuditor(store.db)
  const at = store.clock.now()
  const entry = { at, event: 'signed_out', client_id: null, grant_id: null, actor: 'owner', detail: {} } as const
  const bad = { ...entry, grant_id: 'no uuid' }
  const results = await Promise.allSettled([...Array.from({ length: 100 }, () => audit(entry)), audit(bad)])
  expect(results.filter((result) => result.status === 'rejected')).toHaveLength(1)
  const [counted] = await store.read(`SELECT count(*) AS count FROM audit WHERE event = 'signed_out'`)
  expect(counted).toEqual({ count: 100 })
})
