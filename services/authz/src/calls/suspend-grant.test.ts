import { randomUUID } from 'node:crypto'
import { pausedByOwner } from '@financial-agents/owner-pages/grant-of-owner'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readAuditOfGrant } from '../store/audit.test-helper.ts'
import { revokeGrant, suspendGrant } from '../store/grant-status.ts'
import { findGrant } from '../store/grants.ts'
import { grantLifetimeMs } from '../store/human-grants.ts'
import { findOperatorGrant } from '../store/operator-grants.ts'
import { deviceOf, openTestStore, serviceOf, spaOf, type TestStore } from '../store/test-store.test-helper.ts'
import { suspendForOperator } from './suspend-grant.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  store.clock.setOffsetMs(0)
  for (const table of ['grants', 'fences', 'changes']) await store.read(`DELETE FROM ${table}`)
  await store.apply([spaOf(), serviceOf()])
  await store.read('DELETE FROM changes')
})

const suspend = (grant_id: string, operator = 'jonas', reason = 'It pays to strangers.', on = store.db) =>
  suspendForOperator({ db: on, clock: store.clock }, { grant_id, operator, reason }, 'request-1')
const fences = () => store.read(`SELECT target_id, fenced FROM fences WHERE target = 'grant' ORDER BY target_id`)

test('a suspension stops the grant, is fenced, announced and audited with who did it and why', async () => {
  const { grant_id } = await store.consent()
  const answer = await suspend(grant_id)
  expect(answer).toMatchObject({
    outcome: 'suspended',
    grant: {
      grant_id,
      status: 'suspended',
      suspended: { by: 'jonas', reason: 'It pays to strangers.', reason_for_owner: null },
    },
  })
  expect(JSON.stringify(answer)).not.toContain('01980000-0000-7000-8000-000000000001')
  expect(await findGrant(store.db, grant_id, store.clock.now())).toMatchObject({ active: false })
  expect(await fences()).toEqual([{ target_id: grant_id, fenced: true }])
  expect(await store.read('SELECT change FROM changes')).toEqual([{ change: { grant_id } }])
  const [line] = await readAuditOfGrant(store.db, grant_id)
  expect(line).toMatchObject({
    event: 'grant_suspended',
    actor: 'operator',
    detail: { reason: 'suspended_by_operator', operator: 'jonas', words: 'It pays to strangers.' },
  })
})

test('a suspended grant keeps its first suspension: nothing is written again', async () => {
  const { grant_id } = await store.consent()
  const first = await suspend(grant_id)
  store.clock.setOffsetMs(60_000)
  const second = await suspend(grant_id, 'marta', 'Another reason')
  expect(second).toEqual({ ...first, outcome: 'already_suspended' })
  expect(await store.read('SELECT change FROM changes')).toHaveLength(1)
  const events = (await readAuditOfGrant(store.db, grant_id)).map(({ event }) => event)
  expect(events.filter((event) => event === 'grant_suspended')).toHaveLength(1)
})

test('of 20 at once at two replicas one suspends it, and all get the same answer', async () => {
  const { grant_id } = await store.consent()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_one, index) =>
      suspend(grant_id, `operator-${index}`, `Reason ${index}`, index % 2 ? store.db : store.other),
    ),
  )
  expect(answers.filter(({ outcome }) => outcome === 'suspended')).toHaveLength(1)
  const reported = new Set(answers.map((answer) => ('grant' in answer ? answer.grant.suspended?.by : undefined)))
  expect(reported.size).toBe(1)
})

test('a missing, ended or expired grant is not suspended', async () => {
  expect(await suspend(randomUUID())).toEqual({ outcome: 'not_found' })
  expect(await suspend('no id')).toEqual({ outcome: 'not_found' })
  const { grant_id } = await store.consent()
  store.clock.setOffsetMs(grantLifetimeMs)
  expect(await suspend(grant_id)).toEqual({ outcome: 'not_active' })
  store.clock.setOffsetMs(0)
  await revokeGrant(
    store.db,
    grant_id,
    { reason: 'revoked_by_owner', by: 'owner', request_id: null },
    store.clock.now(),
  )
  expect(await suspend(grant_id)).toEqual({ outcome: 'not_active' })
  expect(await fences()).toEqual([{ target_id: grant_id, fenced: true }])
})

test('a reason that looks like a code, or has characters that cannot be stored, is only text', async () => {
  for (const [given, read] of [
    ['expired', 'expired'],
    ['client_not_registered', 'client_not_registered'],
    ['two\nlines\0', 'two lines'],
    ['\u202eturned', 'turned'],
  ] as const) {
    const { grant_id } = await store.consent({ owner_id: randomUUID() })
    expect(await suspend(grant_id, 'jonas', given)).toMatchObject({
      outcome: 'suspended',
      grant: { status: 'suspended', suspended: { by: 'jonas', reason: read } },
    })
  }
})

test('a service account that an operator suspended does not come back with a declaration that was no new one', async () => {
  const agent = serviceOf()
  await store.apply([spaOf(), agent])
  const { grant_id: grantId } = await serviceGrant()
  const look = () => findOperatorGrant(store.db, grantId, store.clock.now())
  await store.apply([spaOf()])
  expect(await look()).toMatchObject({ status: 'suspended', suspended: { by: 'configuration' } })
  await store.apply([spaOf(), agent])
  expect(await look()).toMatchObject({ status: 'active', suspended: null })
  await store.apply([spaOf()])
  expect(await suspend(grantId)).toMatchObject({ outcome: 'suspended', grant: { suspended: { by: 'jonas' } } })
  await store.apply([spaOf(), agent])
  await store.apply([spaOf(), { ...agent, name: 'Renamed' }])
  expect(await look()).toMatchObject({ status: 'suspended', suspended: { by: 'jonas' } })
  expect(await fences()).toEqual([{ target_id: grantId, fenced: true }])
})

test.each([{}, { sector_identifier: 'another.example' }])(
  'a new declaration gives a suspended service account another grant, recorded; what the first had stays stopped (%j)',
  async (changed) => {
    const agent = serviceOf()
    const { grant_id: before } = await serviceGrant()
    await suspend(before)
    await store.apply([spaOf()])
    const lines = await store.apply([spaOf(), { ...agent, ...changed }])
    const { grant_id: anew, status } = await serviceGrant()
    expect([anew === before, status]).toEqual([false, 'active'])
    expect(lines).toContain(
      `client agent: grant ${anew} created in place of ${before}, which an operator had suspended`,
    )
    expect(await findGrant(store.db, anew, store.clock.now())).toMatchObject({ active: true })
    expect(await findOperatorGrant(store.db, before, store.clock.now())).toMatchObject({ status: 'revoked' })
    expect(await fences()).toEqual([{ target_id: before, fenced: true }])
    expect((await readAuditOfGrant(store.db, anew))[0]).toMatchObject({
      event: 'grant_created',
      actor: 'operator',
      detail: { text: `grant ${anew} created in place of ${before}, which an operator had suspended` },
    })
    expect((await readAuditOfGrant(store.db, before)).map(({ event }) => event)).toContain('grant_revoked')
    // The same declaration again, or a changed one, does not carry the former suspension over.
    expect(await store.apply([spaOf(), { ...agent, ...changed }])).toEqual([])
    await store.apply([spaOf(), { ...agent, sector_identifier: 'a-third.example' }])
    expect(await serviceGrant()).toMatchObject({ status: 'active' })
  },
)

test('an operator suspends what its owner paused', async () => {
  const { grant_id } = await store.consent()
  const why = { reason: pausedByOwner, by: 'owner', request_id: null } as const
  expect(await suspendGrant(store.db, grant_id, why, store.clock.now())).toBe(true)
  const paused = await findOperatorGrant(store.db, grant_id, store.clock.now())
  expect(paused?.suspended).toMatchObject({ by: 'owner', reason: 'The owner paused it.' })
  expect(await suspend(grant_id)).toMatchObject({ outcome: 'suspended', grant: { suspended: { by: 'jonas' } } })
})

/** Expects that the service account has another grant than before, and that the operator's suspension holds for it. */
async function expectNewSuspended(before: string): Promise<void> {
  const anew = await serviceGrant()
  expect(anew.grant_id).not.toBe(before)
  expect(await findOperatorGrant(store.db, anew.grant_id, store.clock.now())).toMatchObject({
    status: 'suspended',
    suspended: { by: 'jonas', reason: 'It pays to strangers.' },
  })
  expect(await fences()).toContainEqual({ target_id: anew.grant_id, fenced: true })
}

test('a service account that an operator suspended stays so, however differently it is declared', async () => {
  const agent = serviceOf()
  const { grant_id: before } = await serviceGrant()
  await suspend(before)
  await store.apply([spaOf(), { ...agent, sector_identifier: 'another.example' }])
  await expectNewSuspended(before)
  await store.apply([spaOf(), agent])
  expect(await serviceGrant()).toMatchObject({ status: 'suspended' })
})

test('a service account that an operator suspended is not resumed by way of another owner or profile', async () => {
  const agent = serviceOf()
  await store.apply([spaOf(), agent])
  const { grant_id: before } = await serviceGrant()
  await suspend(before)
  const other = { ...agent, service_owner: '01980000-0000-7000-8000-000000000002' } as typeof agent
  await store.apply([spaOf(), other])
  expect(await serviceGrant()).toMatchObject({ status: 'active' })
  for (const between of [other, deviceOf({ client_id: 'agent' })]) {
    await store.apply([spaOf(), between])
    await store.apply([spaOf(), agent])
    await expectNewSuspended(before)
  }
})

test('a grant that is named in capital letters is fenced and announced by the id that it has', async () => {
  const { grant_id } = await store.consent()
  expect(await suspend(grant_id.toUpperCase())).toMatchObject({ outcome: 'suspended', grant: { grant_id } })
  expect(await fences()).toEqual([{ target_id: grant_id, fenced: true }])
  expect(await store.read('SELECT change FROM changes')).toEqual([{ change: { grant_id } }])
})

async function serviceGrant() {
  type Live = { grant_id: string; status: string }
  const [row] = await store.read<Live>(
    `SELECT grant_id, status FROM grants WHERE kind = 'service' AND status <> 'revoked'`,
  )
  if (!row) throw new Error('there is no grant of a service account')
  return row
}
