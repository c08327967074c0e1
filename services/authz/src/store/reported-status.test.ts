/** All readers of a grant see the same: its status at that moment, the time of the last change, and the last use. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDelegation } from './delegations.ts'
import {
  grantOfService,
  insertGrant,
  reportedStatus,
  type StoredGrant,
  storedGrants,
} from './grant-rows.test-helper.ts'
import { findHumanGrant, findHumanGrantById } from './human-grants.ts'
import { findOperatorGrant, listOperatorGrants } from './operator-grants.ts'
import { listGrantsOfOwner } from './owner-grants.ts'
import { openTestStore, ownerId, serviceOf, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
  await store.apply([spaOf(), serviceOf()])
})
afterAll(() => store.close())

const now = () => store.clock.now()
type StatusReport = { status: string; changed?: Date | undefined; used?: Date | null | undefined }
type Reader = (grant: { id: string; owner_id: string; subject: string }) => Promise<StatusReport | undefined>

const operators =
  (filter: (grant: { id: string; subject: string }) => object): Reader =>
  async (grant) => {
    const rows = await listOperatorGrants(store.db, { ...filter(grant), after: null, limit: 500 }, now())
    const row = rows.find(({ grant_id }) => grant_id === grant.id)
    const used = row?.last_used_at == null ? null : new Date(row.last_used_at)
    return row && { status: row.status, used, ...(row.suspended && { changed: new Date(row.suspended.at) }) }
  }

const client: Reader = async ({ id }) => findDelegation(store.db, id, now())

const owner: Reader = async ({ id, owner_id }) => {
  const row = (await listGrantsOfOwner(store.db, owner_id, now())).find(({ grant_id }) => grant_id === id)
  return row && { status: row.status, changed: row.status_changed_at, used: row.last_used_at }
}

/** The readers that also see the client's use of the grant. */
const others: readonly (readonly [string, Reader])[] = [
  ['its owner', owner],
  ['operators, of all', operators(() => ({}))],
  ['operators, of its client', operators(() => ({ client_id: 'app' }))],
  ['operators, of its subject', operators(({ subject }) => ({ subject }))],
  ['operators, by its id', operators(({ id }) => ({ grant_id: id }))],
]

async function insert(how: StoredGrant, given: object = {}) {
  const [owner_id, subject] = [randomUUID(), randomUUID()]
  return { id: await insertGrant(store, how, { owner_id, subject, ...given }), owner_id, subject }
}

describe.each([['its client', client], ...others] as const)('%s', (_name, read) => {
  test.each(storedGrants)('sees the current status of a grant that is %s', async (how) => {
    expect(await read(await insert(how))).toMatchObject({ status: reportedStatus[how] })
  })
})

describe.each(others)('%s', (_name, read) => {
  test.each(['active', 'suspended'] as const)(
    'sees the last use of a grant that is %s: only its own, and only by a token',
    async (how) => {
      const [mine, other] = [await insert(how), await insert(how)]
      expect(await read(mine)).toMatchObject({ used: null })
      const at = (seconds: number) => new Date(now().getTime() + seconds * 1_000)
      const used = at(1)
      for (const [grant, event, time] of [
        [mine, 'token_issued', at(0)],
        [mine, 'token_refreshed', used],
        [mine, 'consented', at(2)],
        [other, 'token_issued', at(3)],
      ] as const)
        await store.read(
          `INSERT INTO audit (at, event, client_id, grant_id, actor, detail) VALUES ($1, $2, 'app', $3, 'client', '{}')`,
          [time, event, grant.id],
        )
      expect(await read(mine)).toMatchObject({ used })
    },
  )

  test('sees the time of the suspension', async () => {
    const [changed, updated] = [new Date('2026-05-02T10:00:00.000Z'), new Date('2026-05-03T10:00:00.000Z')]
    const grant = await insert('suspended', { status_changed_at: changed, updated_at: updated })
    expect(await read(grant)).toMatchObject({ changed })
  })
})

test('an owner sees an ended grant for thirty days', async () => {
  const days = (count: number) => new Date(now().getTime() - count * 86_400_000)
  const listed = async (given: object) => {
    const { id, owner_id } = await insert('revoked', given)
    return (await listGrantsOfOwner(store.db, owner_id, now())).map(({ grant_id }) => grant_id === id)
  }
  expect(await listed({ status_changed_at: days(29), updated_at: days(31) })).toEqual([true])
  expect(await listed({ status_changed_at: days(31), updated_at: days(29) })).toEqual([])
})

test('a consent is decided by the time of the suspension', async () => {
  const [status_changed_at, updated_at] = [new Date('2026-05-02T10:00:00.000Z'), new Date('2026-05-03T10:00:00.000Z')]
  const { id, owner_id } = await insert('suspended', { status_changed_at, updated_at })
  expect(await findHumanGrantById(store.db, id)).toMatchObject({ status_changed_at })
  expect(await findHumanGrant(store.db, owner_id, 'app')).toMatchObject({ grant_id: id, status_changed_at })
})

test('the grant of a service account is active without an end, and is none that its owner consented to', async () => {
  const id = await grantOfService(store)
  expect(await findOperatorGrant(store.db, id, now())).toMatchObject({ status: 'active' })
  for (const filter of [
    {},
    { client_id: 'agent' },
    { status: 'active' as const },
    { client_id: 'agent', status: 'active' as const },
  ]) {
    const rows = await listOperatorGrants(store.db, { ...filter, after: null, limit: 500 }, now())
    expect(rows).toContainEqual(expect.objectContaining({ grant_id: id, status: 'active' }))
  }
  expect(await listGrantsOfOwner(store.db, ownerId, now())).toMatchObject([{ grant_id: id, status: 'active' }])
  expect(await findHumanGrantById(store.db, id)).toBeUndefined()
  expect(await findHumanGrant(store.db, ownerId, 'agent')).toBeUndefined()
})
