/** The effect of a changed declaration on the grants that owners gave. */

import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readAuditOfGrant } from '../store/audit.test-helper.ts'
import { recordCeilings } from '../store/grant-ceilings.ts'
import { grantOfService } from '../store/grant-rows.test-helper.ts'
import { revokeGrant } from '../store/grant-status.ts'
import { findGrant } from '../store/grants.ts'
import { findHumanGrant, findHumanGrantById } from '../store/human-grants.ts'
import { deviceOf, openTestStore, ownerId, serviceOf, spaOf, type TestStore } from '../store/test-store.test-helper.ts'
import { applyRegistrations, repeatSuspension } from './apply-registrations.ts'
import { type Registration, registration } from './registration.ts'

const otherOwner = '01980000-0000-7000-8000-000000000002'
let store: TestStore

beforeEach(async () => {
  store = await openTestStore()
})
afterEach(() => store.close())

const fenced = () => store.read('SELECT target, target_id, fenced FROM fences ORDER BY target, target_id')

test('a client that is no longer declared takes its grants with it; declared again, it needs its owners’ consent anew', async () => {
  await store.apply([spaOf()])
  const { grant_id } = await store.consent()
  await store.apply([])
  expect(await findHumanGrantById(store.db, grant_id)).toMatchObject({
    status: 'suspended',
    status_reason: 'client_not_registered',
  })
  expect(await fenced()).toEqual([
    { target: 'client', target_id: 'app', fenced: true },
    { target: 'grant', target_id: grant_id, fenced: true },
  ])
  await store.apply([spaOf()])
  expect(await findHumanGrant(store.db, ownerId, 'app')).toMatchObject({ grant_id, status: 'suspended' })
  expect(await fenced()).toMatchObject([
    { target: 'client', fenced: false },
    { target: 'grant', fenced: true },
  ])
  const events = (await readAuditOfGrant(store.db, grant_id)).map((line) => line.event)
  expect(events).toEqual(['grant_suspended', 'consented', 'grant_created'])
  const anew = await store.consent({ authenticated_at: new Date(store.clock.nowMs() + 1) })
  expect(anew.grant_id).not.toBe(grant_id)
})

test('thousands of grants follow their client in one step', async () => {
  await store.apply([spaOf()])
  await store.read(
    `INSERT INTO grants (grant_id, client_id, kind, owner_id, subject, scopes, policy, expires_at, status, created_at,
       updated_at, status_changed_at)
     SELECT gen_random_uuid(), 'app', 'human', gen_random_uuid(), 's', '{}', '{}', now() + interval '1 day', 'active',
       now(), now(), now() FROM generate_series(1, 5000)`,
  )
  expect(await store.apply([])).toEqual(['client app: suspended (no longer declared)'])
  const counts = await store.read(
    `SELECT (SELECT count(*) FROM grants WHERE status = 'suspended') AS suspended,
       (SELECT count(*) FROM fences WHERE fenced) AS fenced,
       (SELECT count(*) FROM audit WHERE event = 'grant_suspended') AS audited`,
  )
  expect(counts).toEqual([{ suspended: 5_000, fenced: 5_001, audited: 5_000 }])
})

test('the declaration of one service account leaves the grants of all others unchanged', async () => {
  const ids = ['agent-1', 'agent-2', 'agent-3']
  const declared = Object.fromEntries(ids.map((client_id) => [client_id, serviceOf({ client_id })]))
  const [first, second, third] = ids.map((id) => declared[id]) as [Registration, Registration, Registration]
  const grantOf = async (id: string) =>
    (await store.read('SELECT * FROM grants WHERE client_id = $1 ORDER BY grant_id', [id]))[0]
  await store.apply([first, second, third])
  await store.apply([first])
  const [running, ended] = [await grantOf('agent-1'), await grantOf('agent-2')]
  expect([running, ended]).toMatchObject([{ status: 'active' }, { status: 'suspended' }])
  await store.apply([first, { ...third, scopes: ['operations:read'] }])
  expect(await grantOf('agent-3')).toMatchObject({ status: 'active', scopes: ['operations:read'] })
  expect([await grantOf('agent-1'), await grantOf('agent-2')]).toEqual([running, ended])
})

test.each([
  ['the sector', () => spaOf({ sector_identifier: 'another.example' })],
  ['the profile', () => deviceOf({ client_id: 'app' })],
])('a change of %s ends and fences the grants that owners gave', async (_name, changed) => {
  await store.apply([spaOf()])
  const { grant_id } = await store.consent()
  const lines = await store.apply([changed()])
  expect(lines.at(-1)).toBe(`client app: grant ${grant_id} revoked`)
  expect(await findHumanGrantById(store.db, grant_id)).toMatchObject({
    status: 'revoked',
    status_reason: 'registration_changed',
  })
  expect(await fenced()).toEqual([{ target: 'grant', target_id: grant_id, fenced: true }])
})

test('any other change leaves the grants that owners gave', async () => {
  await store.apply([spaOf()])
  const { grant_id } = await store.consent()
  await store.apply([spaOf({ name: 'Another name', origins: ['https://another.example'] })])
  expect(await findHumanGrant(store.db, ownerId, 'app')).toMatchObject({ grant_id, status: 'active' })
})

test('another pairwise key is noticed by the subject of any owner, and nothing is changed', async () => {
  await store.apply([spaOf()])
  await store.consent()
  const wrong = { pairwiseKey: randomBytes(32), now: store.clock.now() }
  const renamed = spaOf({ name: 'Another name' })
  await expect(applyRegistrations(store.db, [renamed], wrong)).rejects.toThrow('PAIRWISE_KEY')
  expect(await store.apply([spaOf()])).toEqual([])
})

describe('the grant of a service account that its owner revoked', () => {
  const declared = serviceOf()
  const revoke = async () => {
    await store.apply([declared])
    const [grant] = await store.read<{ grant_id: string }>('SELECT grant_id FROM grants')
    const why = { reason: 'revoked_by_owner', by: 'owner', request_id: null } as const
    expect(await revokeGrant(store.db, grant?.grant_id ?? '', why, store.clock.now())).toBe(true)
  }
  const statuses = () => store.read('SELECT owner_id, status FROM grants ORDER BY created_at')

  test('is not given again by applying the declaration again, changed or returned', async () => {
    await revoke()
    expect(await store.apply([declared])).toEqual([])
    await store.apply([registration.parse({ ...declared, name: 'Another name', sector_identifier: 'a.example' })])
    await store.apply([])
    await store.apply([declared])
    expect(await statuses()).toEqual([{ owner_id: ownerId, status: 'revoked' }])
  })

  test('does not stand in the way of another owner, and is not given again after that one', async () => {
    await revoke()
    await store.apply([registration.parse({ ...declared, service_owner: otherOwner })])
    const ofBoth = (status: string) => [
      { owner_id: ownerId, status: 'revoked' },
      { owner_id: otherOwner, status },
    ]
    expect(await statuses()).toEqual(ofBoth('active'))
    for (let times = 0; times < 2; times += 1) {
      await store.apply([declared])
      expect(await statuses()).toEqual(ofBoth('revoked'))
    }
  })

  test('does not look like a change of the pairwise key when the sector has changed since', async () => {
    await revoke()
    const moved = registration.parse({ ...declared, sector_identifier: 'a.example' })
    await store.apply([moved])
    expect(await store.apply([moved])).toEqual([])
  })
})

describe('the ceilings that an owner set for a service account', () => {
  const declared = serviceOf()
  const euro = (amount: string) => ({ amount, currency: 'EUR' })
  const withPolicy = (per_payment: string, members: object = {}) =>
    registration.parse({ ...declared, ...members, policy: { withdrawal_ceilings: { per_payment: euro(per_payment) } } })
  const ceilings = async () =>
    (await findGrant(store.db, await grantOfService(store), store.clock.now()))?.policy.ceilings
  beforeEach(async () => {
    await store.apply([withPolicy('100')])
    const by = { owner_id: ownerId, authenticated_at: store.clock.now(), request_id: null, remote_address: '192.0.2.7' }
    const given = { per_payment: euro('10'), per_day: euro('20') }
    await recordCeilings(store.db, { ...by, grant_id: await grantOfService(store), ceilings: given }, store.clock.now())
  })

  test('hold for the next grant to it, which another declaration makes', async () => {
    const before = await grantOfService(store)
    const lines = await store.apply([withPolicy('100', { sector_identifier: 'a.example' })])
    const made = await grantOfService(store)
    expect(made).not.toBe(before)
    expect(lines).toContain(`client agent: grant ${made} created, with the ceilings of its owner`)
    expect(await ceilings()).toEqual({ per_payment: euro('10'), per_day: euro('20') })
    await store.apply([withPolicy('5', { sector_identifier: 'b.example' })])
    expect(await ceilings()).toEqual({ per_payment: euro('5.00'), per_day: euro('20') })
    await store.apply([withPolicy('1000', { sector_identifier: 'a.example' })])
    expect(await ceilings()).toEqual({ per_payment: euro('10'), per_day: euro('20') })
  })

  test('hold after a declaration for another owner or of another profile, and bind nobody else', async () => {
    await store.apply([withPolicy('100', { service_owner: otherOwner })])
    expect(await ceilings()).toEqual({ per_payment: euro('100.00'), per_day: null })
    await store.apply([withPolicy('100')])
    expect(await ceilings()).toEqual({ per_payment: euro('10'), per_day: euro('20') })
    await store.apply([deviceOf({ client_id: 'agent' })])
    await store.apply([withPolicy('100')])
    expect(await ceilings()).toEqual({ per_payment: euro('10'), per_day: euro('20') })
  })
})

test('the audit says that an operator did it, and whose grant it was', async () => {
  await store.apply([serviceOf()])
  const lines = await store.read('SELECT event, actor, owner_id FROM audit ORDER BY id')
  expect(lines).toEqual([
    { event: 'client_registered', actor: 'operator', owner_id: null },
    { event: 'grant_created', actor: 'operator', owner_id: ownerId },
  ])
})

test('a client whose suspension the database has lost is suspended with its grants, once', async () => {
  await store.apply([spaOf()])
  const { grant_id } = await store.consent()
  const repeat = (clientId: string) => repeatSuspension(store.db, clientId, store.clock.now())
  expect(await repeat('app')).toBe(true)
  expect(await repeat('app')).toBe(false)
  expect(await repeat('nobody')).toBe(false)
  expect(await findHumanGrantById(store.db, grant_id)).toMatchObject({ status: 'suspended' })
  expect(await fenced()).toMatchObject([
    { target: 'client', target_id: 'app', fenced: true },
    { target: 'grant', target_id: grant_id, fenced: true },
  ])
})
