/** A client acts for an owner by its own grants of that owner, while both the grant and the client are active. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActiveGrants } from './active-grants.ts'
import { grantOfService, insertGrant, storedGrants } from './grant-rows.test-helper.ts'
import { listLiveGrants, listServiceGrants, pairOf, recordServiceGrant } from './grants.ts'
import { openTestStore, ownerId, serviceOf, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  const [second, third] = [spaOf({ client_id: 'app-2', scopes: ['beneficiaries:read'] }), spaOf({ client_id: 'app-3' })]
  await store.apply([spaOf(), second, third, serviceOf()])
})
afterAll(() => store.close())

const active = (owner_id: string, client_id = 'app') =>
  listActiveGrants(store.db, [{ owner_id, client_id }], store.clock.now())
const idsOf = (rows: readonly { grant_id: string }[]) => rows.map(({ grant_id }) => grant_id)

test.each(storedGrants)('a grant that is %s is listed only if it is active', async (how) => {
  const owner_id = randomUUID()
  const id = await insertGrant(store, how, { owner_id })
  expect(idsOf(await active(owner_id))).toEqual(how === 'active' ? [id] : [])
})

describe('each is reported', () => {
  test('with its own client: once, with no scope that the client may not have now', async () => {
    const owner_id = randomUUID()
    const [one, two] = [
      await insertGrant(store, 'active', { owner_id }),
      await insertGrant(store, 'active', { owner_id, client_id: 'app-2' }),
    ]
    expect(await active(owner_id)).toMatchObject([{ grant_id: one, client_id: 'app', scopes: ['operations:read'] }])
    expect(await active(owner_id, 'app-2')).toMatchObject([{ grant_id: two, client_id: 'app-2', scopes: [] }])
  })

  test('also where it has no end, with when it was declared last', async () => {
    const id = await grantOfService(store)
    const [created] = await store.read<{ created_at: Date }>('SELECT created_at FROM grants WHERE grant_id = $1', [id])
    expect(await active(ownerId, 'agent')).toMatchObject([{ grant_id: id, declared_at: created?.created_at }])
    const declared_at = new Date('2026-05-03T10:00:00.000Z')
    await store.read('UPDATE grants SET declared_at = $2 WHERE grant_id = $1', [id, declared_at])
    expect(await active(ownerId, 'agent')).toMatchObject([{ grant_id: id, declared_at }])
  })

  test('not where its client is suspended, whatever the grant says of itself', async () => {
    const owner_id = randomUUID()
    await insertGrant(store, 'active', { owner_id, client_id: 'app-2' })
    await store.read(`UPDATE clients SET status = 'suspended' WHERE client_id = 'app-2'`)
    expect(await active(owner_id, 'app-2')).toEqual([])
    await store.read(`UPDATE clients SET status = 'active' WHERE client_id = 'app-2'`)
  })
})

test('the live grants of a client are its own, including suspended and expired ones, without ended ones', async () => {
  const made = new Map<string, string>()
  for (const how of storedGrants) made.set(how, await insertGrant(store, how, { client_id: 'app-3' }))
  const live = ['active', 'suspended', 'overdue', 'overdue and suspended'].map((how) => made.get(how))
  expect(new Set(await listLiveGrants(store.db, 'app-3'))).toEqual(new Set(live))
})

test('of each owner of a service account, the unrevoked grant is listed, else the latest, whoever ended it', async () => {
  const [other, id] = [randomUUID(), await grantOfService(store)]
  const reported = async (owner = ownerId) => (await listServiceGrants(store.db)).get(pairOf('agent', owner))?.grant_id
  const end = (reason: string) =>
    store.read(`UPDATE grants SET status = 'revoked', status_reason = $1 WHERE kind = 'service'`, [reason])
  const give = async (owner_id: string, at: string) => {
    const given = { grant_id: randomUUID(), client_id: 'agent', owner_id, subject: 's', scopes: [], policy: null }
    await recordServiceGrant(store.db, given, new Date(at))
    return given.grant_id
  }
  expect(await reported()).toBe(id)
  for (const reason of ['revoked_by_owner', 'registration_changed']) {
    await end(reason)
    expect(await reported()).toBe(id)
  }
  const older = await give(ownerId, '2020-01-01T00:00:00.000Z')
  expect([await reported(), await reported(other)]).toEqual([older, undefined])
  await end('registration_changed')
  const theirs = await give(other, '2021-01-01T00:00:00.000Z')
  expect([await reported(), await reported(other)]).toEqual([id, theirs])
})
