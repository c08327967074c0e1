/** An owner changes the limits of an own active grant by its id, and of no other grant. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordCeilings } from './grant-ceilings.ts'
import { grantOfService, insertGrant, type StoredGrant, storedGrants } from './grant-rows.test-helper.ts'
import { openTestStore, ownerId, serviceOf, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  await store.apply([spaOf(), serviceOf()])
})
afterAll(() => store.close())

const euro = (amount: string) => ({ amount, currency: 'EUR' })
const change = (grant_id: string, owner_id: string) => {
  const ceilings = { per_payment: euro('1.00'), per_day: euro('2.00') }
  const by = { request_id: null, remote_address: '127.0.0.1', authenticated_at: store.clock.now() }
  return recordCeilings(store.db, { grant_id, owner_id, ceilings, ...by }, store.clock.now())
}
const policies = () =>
  store.read<{ grant_id: string; policy: unknown }>('SELECT grant_id, policy FROM grants ORDER BY grant_id')

async function expectOnlyChanged(grantId: string | undefined, work: () => Promise<unknown>): Promise<void> {
  const before = await policies()
  await work()
  const changed = (await policies()).filter((row, index) => JSON.stringify(row) !== JSON.stringify(before[index]))
  expect(changed.map(({ grant_id }) => grant_id)).toEqual(grantId === undefined ? [] : [grantId])
}

test('an owner’s change concerns that grant alone', async () => {
  const owner = randomUUID()
  const [mine] = [await insertGrant(store, 'active', { owner_id: owner }), await insertGrant(store, 'active')]
  await expectOnlyChanged(mine, async () => expect(await change(mine, owner)).toBe(true))
})

test('no other owner can change it, and an owner of one grant can change no other', async () => {
  const owner = randomUUID()
  await insertGrant(store, 'active', { owner_id: owner })
  const theirs = await insertGrant(store, 'active')
  await expectOnlyChanged(undefined, async () => {
    expect(await change(theirs, owner)).toBe(false)
    expect(await change(randomUUID(), owner)).toBe(false)
  })
})

const ended = storedGrants.filter((how): how is Exclude<StoredGrant, 'active'> => how !== 'active')
test.each(ended)('a grant that is %s is not changed', async (how) => {
  const owner = randomUUID()
  const id = await insertGrant(store, how, { owner_id: owner })
  await expectOnlyChanged(undefined, async () => expect(await change(id, owner)).toBe(false))
})

test('the grant of a service account, which has no end, can be changed by its owner', async () => {
  const id = await grantOfService(store)
  await expectOnlyChanged(id, async () => expect(await change(id, ownerId)).toBe(true))
})
