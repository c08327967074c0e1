import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createArtifactStore } from './artifacts.ts'
import { changeInTurn, listChangesAfter } from './changes.ts'
import { expireGrants, revokeGrant, suspendGrant, suspendGrantForOperator } from './grant-status.ts'
import { findGrant } from './grants.ts'
import {
  ClientNotActive,
  type Consent,
  FreshSignInNeeded,
  findHumanGrant,
  findHumanGrantById,
  findSuspension,
  grantLifetimeMs,
  holdGrant,
} from './human-grants.ts'
import { listGrantsOfOwner } from './owner-grants.ts'
import { dayMs, openTestStore, ownerId, serviceOf, spaOf, type TestStore } from './test-store.test-helper.ts'

let store: TestStore

beforeEach(async () => {
  store = await openTestStore()
  await store.apply([spaOf()])
})
afterEach(() => store.close())

const current = () => findHumanGrant(store.db, ownerId, 'app')
const rows = () => store.read<{ status: string }>('SELECT status FROM grants')
const audited = async () =>
  (await store.read<{ event: string }>(`SELECT event FROM audit WHERE client_id = 'app' ORDER BY id`))
    .map((row) => row.event)
    .slice(1)
const changes = async () => (await listChangesAfter(store.db, 0)).map((row) => row.change).slice(1)
const fences = () => store.read('SELECT target_id, fenced FROM fences')
const why = { by: 'owner', request_id: 'request-of-test' } as const
const byOwner = { ...why, reason: 'revoked_by_owner' } as const

async function keepArtifact(grantId: string, model = 'RefreshToken'): Promise<string> {
  const id = randomUUID()
  const artifacts = createArtifactStore(store.db, store.sealer, model)
  await artifacts.record(id, { jti: id, grantId }, { grantId }, new Date(store.clock.nowMs() + dayMs))
  return id
}
const artifacts = () => store.read('SELECT model FROM artifacts')

describe('a consent', () => {
  test('makes one active grant that lasts ninety days, with what was consented to', async () => {
    const { grant_id, created } = await store.consent({ scopes: ['operations:read'], openid: true })
    expect(created).toBe(true)
    const grant = await current()
    expect(grant).toMatchObject({ grant_id, status: 'active', scopes: ['operations:read'], openid: true })
    expect(grant).toMatchObject({ subject: expect.any(String), client_id: 'app', owner_id: ownerId })
    expect(Math.abs(Number(grant?.expires_at) - store.clock.nowMs() - grantLifetimeMs)).toBeLessThan(60_000)
    expect(await findHumanGrantById(store.other, grant_id)).toEqual(grant)
    expect(await audited()).toEqual(['grant_created', 'consented'])
  })

  test('to more adds to the grant that there is, which the gateways hear of', async () => {
    const first = await store.consent({ scopes: ['operations:read'] })
    const second = await store.consent({ scopes: ['beneficiaries:read'], openid: true })
    expect(second).toEqual({ grant_id: first.grant_id, created: false })
    expect(await current()).toMatchObject({ scopes: ['beneficiaries:read', 'operations:read'], openid: true })
    const third = await store.consent({ scopes: ['operations:read'] })
    expect(third.grant_id).toBe(first.grant_id)
    expect(await current()).toMatchObject({ scopes: ['beneficiaries:read', 'operations:read'], openid: true })
    expect(await changes()).toEqual([{ grant_id: first.grant_id }, { grant_id: first.grant_id }])
  })

  test('keeps only what its page could show: no scope outside the ceiling comes back with it', async () => {
    await store.consent({ scopes: ['operations:read', 'spending:withdraw'], openid: true })
    await store.apply([spaOf({ scopes: ['operations:read'] })])
    await store.consent({ scopes: ['operations:read'] })
    await store.apply([spaOf()])
    expect(await current()).toMatchObject({ scopes: ['operations:read'], openid: false })
  })

  test('of 50 at once at two replicas makes one grant, with all of their scopes', async () => {
    const scopes = ['operations:read', 'beneficiaries:read', 'beneficiaries:write', 'spending:withdraw']
    const given = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.consent({ scopes: [scopes[index % 4] as string] }, index % 2 ? store.db : store.other),
      ),
    )
    expect(new Set(given.map((one) => one.grant_id)).size).toBe(1)
    expect(given.filter((one) => one.created)).toHaveLength(1)
    expect((await current())?.scopes.toSorted()).toEqual(scopes.toSorted())
    expect(await rows()).toHaveLength(1)
  })

  test('never brings the end of a grant nearer', async () => {
    const { grant_id } = await store.consent()
    const expires_at = new Date(store.clock.nowMs() + 2 * grantLifetimeMs)
    await store.read('UPDATE grants SET expires_at = $2 WHERE grant_id = $1', [grant_id, expires_at])
    await store.consent()
    expect(await current()).toMatchObject({ grant_id, expires_at })
  })

  test('of another owner, or to another client, is another grant', async () => {
    await store.apply([spaOf(), spaOf({ client_id: 'app-2' })])
    const mine = await store.consent()
    const theirs = await store.consent({ owner_id: '01980000-0000-7000-8000-000000000002' })
    const toAnother = await store.consent({ client_id: 'app-2' })
    expect(new Set([mine, theirs, toAnother].map((one) => one.grant_id)).size).toBe(3)
    expect((await current())?.grant_id).toBe(mine.grant_id)
  })

  test('widens no grant but its own: those of other owners and clients stay as they are', async () => {
    await store.apply([spaOf(), spaOf({ client_id: 'app-2' })])
    const narrow = { scopes: ['operations:read'] }
    const theirs = await store.consent({ ...narrow, owner_id: '01980000-0000-7000-8000-000000000002' })
    const toAnother = await store.consent({ ...narrow, client_id: 'app-2' })
    const before = await Promise.all([theirs, toAnother].map(({ grant_id }) => findHumanGrantById(store.db, grant_id)))
    const mine = await store.consent(narrow)
    await store.consent({ scopes: ['spending:withdraw'], openid: true })
    expect(await findHumanGrantById(store.db, mine.grant_id)).toMatchObject({ openid: true })
    const after = await Promise.all([theirs, toAnother].map(({ grant_id }) => findHumanGrantById(store.db, grant_id)))
    expect(after).toEqual(before)
  })

  test('to a client that is suspended, or to a service account, is refused', async () => {
    await store.apply([serviceOf()])
    for (const client_id of ['app', 'agent', 'nobody'])
      await expect(store.consent({ client_id })).rejects.toThrow(ClientNotActive)
    expect(await store.read(`SELECT 1 FROM grants WHERE kind = 'human'`)).toEqual([])
  })

  test('never gives a wider policy than the client is registered with, but a tighter one', async () => {
    const euro = (amount: string) => ({ amount, currency: 'EUR' })
    await store.apply([
      spaOf({ policy: { withdrawal_ceilings: { per_payment: euro('100'), per_day: euro('500.00') } } }),
    ])
    const asked = { ceilings: { per_payment: euro('1000'), per_day: euro('99.5') }, confirmation: [] }
    await store.consent({ policy: asked })
    expect((await current())?.policy.ceilings).toEqual({ per_payment: euro('100.00'), per_day: euro('99.5') })
  })
})

describe('an authorization', () => {
  test('holds the grant as it is: it moves no end, and no gateway needs to hear of it', async () => {
    const { grant_id } = await store.consent()
    const [before, reported] = [await current(), (await changes()).length]
    await holdGrant(store.db, grant_id, store.clock.now())
    expect(await current()).toEqual(before)
    expect(await changes()).toHaveLength(reported)
  })

  test('is given under no grant whose time is over, nor under one that ended', async () => {
    const { grant_id } = await store.consent()
    const ended = new Date(store.clock.nowMs() + grantLifetimeMs)
    await expect(holdGrant(store.db, grant_id, ended)).rejects.toThrow('the grant ended')
    await revokeGrant(store.db, grant_id, byOwner, store.clock.now())
    await expect(holdGrant(store.db, grant_id, store.clock.now())).rejects.toThrow('the grant ended')
  })
})

describe('a revoked grant', () => {
  test('ends in one transaction: status, fence, change for the gateways, audit and artifacts', async () => {
    const { grant_id } = await store.consent()
    await keepArtifact(grant_id, 'RefreshToken')
    await keepArtifact(grant_id, 'AuthorizationCode')
    const bystander = await keepArtifact(randomUUID())
    expect(await revokeGrant(store.db, grant_id, byOwner, store.clock.now())).toBe(true)
    expect(await current()).toBeUndefined()
    expect(await findHumanGrantById(store.db, grant_id)).toMatchObject({
      status: 'revoked',
      status_reason: 'revoked_by_owner',
    })
    expect(await findGrant(store.other, grant_id, store.clock.now())).toMatchObject({ active: false })
    expect(await fences()).toEqual([{ target_id: grant_id, fenced: true }])
    expect((await changes()).at(-1)).toEqual({ grant_id })
    expect(await audited()).toEqual(['grant_created', 'consented', 'grant_revoked'])
    expect(await artifacts()).toHaveLength(1)
    expect(await createArtifactStore(store.db, store.sealer, 'RefreshToken').find(bystander)).toBeDefined()
  })

  test('is revoked once, however many ask at once', async () => {
    const { grant_id } = await store.consent()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        revokeGrant(index % 2 ? store.db : store.other, grant_id, byOwner, store.clock.now()),
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect((await audited()).filter((event) => event === 'grant_revoked')).toHaveLength(1)
    expect(await revokeGrant(store.db, randomUUID(), byOwner, store.clock.now())).toBe(false)
  })

  test('leaves nothing half done where a step fails', async () => {
    const { grant_id } = await store.consent()
    await store.read(`ALTER TABLE fences ADD CHECK (reason <> 'grant_revoked')`)
    await expect(revokeGrant(store.db, grant_id, byOwner, store.clock.now())).rejects.toThrow()
    expect(await current()).toMatchObject({ status: 'active' })
    expect(await audited()).toEqual(['grant_created', 'consented'])
  })

  test('makes room for another, which has nothing of what the first allowed', async () => {
    const first = await store.consent({ scopes: ['spending:withdraw'] })
    await revokeGrant(store.db, first.grant_id, byOwner, store.clock.now())
    const second = await store.consent({ scopes: ['operations:read'] })
    expect(second.created).toBe(true)
    expect(await current()).toMatchObject({ grant_id: second.grant_id, scopes: ['operations:read'] })
  })
})

describe('a suspended grant', () => {
  const operator = { reason: 'operator', by: 'operator', request_id: null } as const
  const suspend = async () => {
    const { grant_id } = await store.consent({ scopes: ['spending:withdraw'] })
    expect(await suspendGrant(store.db, grant_id, operator, store.clock.now())).toBe(true)
    return grant_id
  }

  test('is inactive, fenced and announced; suspending it again changes nothing', async () => {
    const grantId = await suspend()
    expect(await current()).toMatchObject({ grant_id: grantId, status: 'suspended', status_reason: 'operator' })
    expect(await findGrant(store.db, grantId, store.clock.now())).toMatchObject({ active: false })
    expect(await fences()).toEqual([{ target_id: grantId, fenced: true }])
    expect(await suspendGrant(store.db, grantId, operator, store.clock.now())).toBe(false)
    expect((await audited()).at(-1)).toBe('grant_suspended')
  })

  test('is not replaced by a consent of an owner who signed in before', async () => {
    const grantId = await suspend()
    const before = new Date(store.clock.nowMs() - 60_000)
    await expect(store.consent({ authenticated_at: before })).rejects.toThrow(FreshSignInNeeded)
    expect(await current()).toMatchObject({ grant_id: grantId, status: 'suspended' })
  })

  test('is replaced, not resumed, by a consent after a fresh sign-in', async () => {
    const grantId = await suspend()
    store.clock.setOffsetMs(60_000)
    const { grant_id, created } = await store.consent({ scopes: ['operations:read'] })
    expect(created).toBe(true)
    expect(grant_id).not.toBe(grantId)
    expect(await current()).toMatchObject({ grant_id, status: 'active', scopes: ['operations:read'] })
    expect(await findHumanGrantById(store.db, grantId)).toMatchObject({ status: 'revoked', status_reason: 'replaced' })
  })

  test('can be revoked, and a revoked one not suspended', async () => {
    const grantId = await suspend()
    expect(await revokeGrant(store.db, grantId, byOwner, store.clock.now())).toBe(true)
    expect(await suspendGrant(store.db, grantId, operator, store.clock.now())).toBe(false)
  })
})

describe('a grant that an operator suspended', () => {
  const suspend = async (given: Partial<Consent> = {}) => {
    const { grant_id } = await store.consent(given)
    const by = { operator: 'jonas', words: 'It pays to strangers.', request_id: null }
    const now = store.clock.now()
    expect(await changeInTurn(store.db, (tx) => suspendGrantForOperator(tx, grant_id, by, now))).toBe(true)
    return grant_id
  }
  const afterSuspensionMs = 60_000
  const overMs = grantLifetimeMs + dayMs
  const ends: readonly (readonly [string, (grantId: string) => Promise<unknown>])[] = [
    ['its expiry', () => (store.clock.setOffsetMs(overMs), expireGrants(store.db, store.clock.now(), 10))],
    ['another sector', () => store.apply([spaOf({ sector_identifier: 'another.example' })])],
  ]

  test.each(ends)('is replaced only after a later sign-in, even if it has ended since (%s)', async (_name, end) => {
    const signedIn = new Date(store.clock.nowMs() + 1_000)
    const grantId = await suspend()
    store.clock.setOffsetMs(afterSuspensionMs)
    await end(grantId)
    expect(await findHumanGrantById(store.db, grantId)).toMatchObject({ status: 'revoked' })
    await expect(store.consent({ authenticated_at: signedIn })).rejects.toThrow(FreshSignInNeeded)
    expect(await current()).toBeUndefined()
    const { created } = await store.consent({ authenticated_at: new Date(store.clock.nowMs() + 1) })
    expect(created).toBe(true)
    // The grant that followed is like any other.
    const { grant_id } = (await current()) ?? {}
    await revokeGrant(store.db, grant_id ?? '', byOwner, store.clock.now())
    expect(await store.consent({ authenticated_at: signedIn })).toMatchObject({ created: true })
  })

  test('is replaced after any sign-in if its owner has ended it since', async () => {
    const grantId = await suspend()
    store.clock.setOffsetMs(afterSuspensionMs)
    await revokeGrant(store.db, grantId, byOwner, store.clock.now())
    expect(await findSuspension(store.db, ownerId, 'app')).toBeUndefined()
    expect(await store.consent({ authenticated_at: new Date(0) })).toMatchObject({ created: true })
  })

  test('asks nothing about another owner or another client', async () => {
    await store.apply([spaOf(), spaOf({ client_id: 'app-2' })])
    await suspend()
    const others: Partial<Consent>[] = [{ owner_id: '01980000-0000-7000-8000-000000000002' }, { client_id: 'app-2' }]
    for (const given of others) {
      const { owner_id = ownerId, client_id = 'app' } = given
      expect(await findSuspension(store.db, owner_id, client_id)).toBeUndefined()
      expect(await store.consent({ ...given, authenticated_at: new Date(0) })).toMatchObject({ created: true })
    }
    expect(await findSuspension(store.db, ownerId, 'app')).toBeInstanceOf(Date)
  })
})

describe('a grant whose time is over', () => {
  test('is inactive at that moment, and ended, fenced and announced by the background job', async () => {
    const { grant_id } = await store.consent()
    const { expires_at } = (await current()) ?? {}
    const justBefore = new Date(Number(expires_at) - 1)
    expect(await findGrant(store.db, grant_id, justBefore)).toMatchObject({ active: true, expires_at })
    expect(await findGrant(store.db, grant_id, expires_at as Date)).toMatchObject({ active: false })
    expect(await expireGrants(store.db, justBefore, 10)).toBe(false)
    expect(await current()).toBeDefined()
    await Promise.all([store.db, store.other].map((db) => expireGrants(db, expires_at as Date, 10)))
    expect(await current()).toBeUndefined()
    expect(await fences()).toEqual([{ target_id: grant_id, fenced: true }])
    expect((await changes()).at(-1)).toEqual({ grant_id })
    expect((await audited()).filter((event) => event === 'grant_expired')).toHaveLength(1)
    expect(await listGrantsOfOwner(store.db, ownerId, expires_at as Date)).toMatchObject([{ status: 'expired' }])
  })

  test('is not what the next consent adds to, swept or not', async () => {
    const first = await store.consent({ scopes: ['spending:withdraw'] })
    store.clock.setOffsetMs(grantLifetimeMs + 60_000)
    expect(await listGrantsOfOwner(store.db, ownerId, store.clock.now())).toMatchObject([{ status: 'expired' }])
    const second = await store.consent({ scopes: ['operations:read'] })
    expect(second.created).toBe(true)
    expect(await current()).toMatchObject({ grant_id: second.grant_id, scopes: ['operations:read'] })
    expect(await findHumanGrantById(store.db, first.grant_id)).toMatchObject({ status_reason: 'expired' })
  })

  test('in any number is ended in batches', async () => {
    for (const index of [1, 2, 3]) await store.consent({ owner_id: `01980000-0000-7000-8000-00000000000${index}` })
    const after = new Date(store.clock.nowMs() + grantLifetimeMs + 60_000)
    expect([await expireGrants(store.db, after, 2), await expireGrants(store.db, after, 2)]).toEqual([true, false])
    expect((await rows()).map((row) => row.status)).toEqual(['revoked', 'revoked', 'revoked'])
  })
})

test('consents, authorizations, revocations, suspensions and registrations at once never deadlock', async () => {
  const owners = Array.from({ length: 4 }, (_, index) => `01980000-0000-7000-8000-00000000000${index + 1}`)
  const once = async (index: number) => {
    const db = index % 2 ? store.db : store.other
    const owner_id = owners[index % 4] as string
    const grant = await findHumanGrant(db, owner_id, 'app')
    const now = store.clock.now()
    if (!grant || index % 5 === 0)
      return store.consent({ owner_id, authenticated_at: new Date(now.getTime() + 1_000) }, db)
    if (index % 5 === 1) return holdGrant(db, grant.grant_id, now).catch(() => {})
    if (index % 5 === 2) return revokeGrant(db, grant.grant_id, byOwner, now)
    if (index % 5 === 3) return suspendGrant(db, grant.grant_id, { ...why, reason: 'test' }, now)
    await keepArtifact(grant.grant_id)
    await createArtifactStore(db, store.sealer, 'RefreshToken').revokeByGrantId(grant.grant_id)
    return store.apply([spaOf({ name: `Name ${index}` })])
  }
  for (let round = 0; round < 5; round += 1)
    await Promise.all(Array.from({ length: 40 }, (_, index) => once(round * 40 + index)))
  const live = await store.read<{ count: number }>(
    `SELECT count(*) FROM grants WHERE status <> 'revoked' GROUP BY owner_id HAVING count(*) > 1`,
  )
  expect(live).toEqual([])
})

test('a lowered ceiling narrows what every grant of the client may do, at once', async () => {
  const { grant_id } = await store.consent({ scopes: ['operations:read', 'spending:withdraw'], openid: true })
  await store.apply([spaOf({ scopes: ['operations:read'] })])
  expect(await current()).toMatchObject({ scopes: ['operations:read'], openid: false })
  expect(await findGrant(store.db, grant_id, store.clock.now())).toMatchObject({ scopes: ['operations:read'] })
  expect((await changes()).at(-1)).toEqual({ client_id: 'app' })
})
