/**
 * Authority under a mandate belongs to a grant. The owner's confirmation or consent gives it, and the draft validates it
 * again.
 */

import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, describe, expect, test } from 'vitest'
import { mandateBody, startMandates } from './area.test-helper.ts'
import { refusalOf, startMandateWrites } from './writes.test-helper.ts'

const area = await startMandates()
const writes = await startMandateWrites()
afterAll(() => Promise.all([area.stop(), writes.close()]))

const codeOf = async (reply: ReturnType<typeof area.transfer>) => problemOf(await reply).code
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

test('a client pays by the grant that it held when the owner confirmed, and by no later one; the refusal says what to do', async () => {
  const { principal, id } = await area.active()
  const refused = problemOf(await area.transfer({ ...principal, grant_id: 'a later grant' }, id))
  expect(refused.code).toBe('mandate_client_not_authorized')
  expect(refused.detail).toMatch(/ends with that grant.*consent/)
  dataOf(await area.transfer(principal, id))
  expect((await area.get(principal, id)).remaining.payments).toBe(9)
})

test('another client that is named pays by the grants that were active and older than the confirmation', async () => {
  const created_at = new Date(area.clock.nowMs() - 1_000).toISOString()
  await soon()
  const intentId = randomUUIDv7()
  await soon()
  const later = new Date(area.clock.nowMs()).toISOString()
  const held = (client_id: string, active_grants: { grant_id: string; created_at: string }[]) => ({
    client_id,
    name: client_id,
    active_grants,
  })
  area.clients.push(
    held('client-two', [
      { grant_id: 'before', created_at },
      { grant_id: 'after', created_at: later },
    ]),
    held('client-three', []),
    held('client-four', [{ grant_id: 'unnamed', created_at }]),
  )
  const authorized_clients = ['client-two', 'client-three', 'nobody']
  const { principal, id } = await area.active({ authorized_clients }, newPrincipal(), { intentId })
  area.clients.length = 0
  const found = await area.find.mandate({ owner_id: principal.owner_id, client_id: null, mandate_id: id })
  expect(found?.authorities).toEqual([{ client_id: 'client-two', grant_id: 'before' }])
  const two = { ...principal, client_id: 'client-two' }
  dataOf(await area.transfer({ ...two, grant_id: 'before' }, id))
  expect(await codeOf(area.transfer({ ...two, grant_id: 'after' }, id))).toBe('mandate_client_not_authorized')
  const three = { ...principal, client_id: 'client-three', grant_id: 'before' }
  expect(await codeOf(area.transfer(three, id))).toBe('mandate_client_not_authorized')
})

test('an id of a confirmation that says nothing of its time gives nobody but the calling client anything', async () => {
  area.clients.push({
    client_id: 'client-two',
    name: 'Two',
    active_grants: [{ grant_id: 'old', created_at: '2020-01-01T00:00:00.000Z' }],
  })
  const authorized_clients = ['client-one', 'client-two']
  const { principal, id } = await area.active({ authorized_clients }, newPrincipal(), { intentId: randomUUID() })
  area.clients.length = 0
  const found = await area.find.mandate({ owner_id: principal.owner_id, client_id: null, mandate_id: id })
  expect(found?.authorities).toEqual([{ client_id: 'client-one', grant_id: principal.grant_id }])
})

test('the draft validates the grant under the lock, whatever the handler saw before, and reserves nothing', async () => {
  const mandate = await writes.mandate()
  expect(refusalOf(await writes.transfer(mandate, '1', 'grant-two'))?.code).toBe('mandate_client_not_authorized')
  expect((await writes.read(mandate))?.remaining.total).toBe('100')
  expect(refusalOf(await writes.transfer(mandate, '1'))).toBeUndefined()
})

describe('an equal request of another grant joins no draft', () => {
  const undecided = () => {
    area.operations.beforeAccept = area.lostAnswers.lose
  }
  const decided = () => {
    area.operations.beforeAccept = async () => {}
  }

  test('of a mandate: what was drafted is not what its confirmation is for', async () => {
    const principal = newPrincipal()
    const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
    const key = randomUUID()
    undecided()
    expect(await codeOf(area.create(principal, body, { key }))).toBe('acceptance_unknown')
    decided()
    const asked = area.operations.asked.length
    expect(await codeOf(area.create({ ...principal, grant_id: 'later' }, body, { key }))).toBe('service_unavailable')
    expect(area.operations.asked).toHaveLength(asked)
    dataOf(await area.create(principal, body, { key }))
  })

  test('of a transfer: the authority of the one is not that of the other', async () => {
    const { principal, id } = await area.active()
    const key = randomUUID()
    undecided()
    expect(await codeOf(area.transfer(principal, id, {}, { key }))).toBe('acceptance_unknown')
    decided()
    const later = { ...principal, grant_id: 'later' }
    expect(await codeOf(area.transfer(later, id, {}, { key }))).toBe('mandate_client_not_authorized')
    dataOf(await area.transfer(principal, id, {}, { key }))
    expect((await area.get(principal, id)).remaining.payments).toBe(9)
  })
})

describe('an owner gives authority again', () => {
  test('to the grant that was consented to, once however often it is asked; caps go on as they were', async () => {
    const { principal, id } = await area.active()
    dataOf(await area.transfer(principal, id, { amount: '40' }))
    const later = { ...principal, grant_id: 'later' }
    expect(await codeOf(area.transfer(later, id))).toBe('mandate_client_not_authorized')
    expect(await area.authorize(later, [id])).toEqual([id])
    expect(await area.authorize(later, [id])).toEqual([id])
    dataOf(await area.transfer(later, id, { amount: '40' }))
    expect((await area.get(later, id)).remaining).toMatchObject({ daily: '20.00', payments: 8 })
    expect(await codeOf(area.transfer({ ...principal, grant_id: 'third' }, id))).toBe('mandate_client_not_authorized')
  })

  test('under her own mandates that name the client and may still be paid, and under nothing else', async () => {
    const { principal, id } = await area.active()
    const later = { ...principal, grant_id: 'later' }
    const foreign = await area.active()
    const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
    const pending = dataOf(await area.create(principal, body)).resource_id
    const failed = dataOf(await area.create(principal, body))
    area.settle(failed, 'failed')
    await area.see(principal, failed.resource_id, 'failed')
    const revoked = (await area.active({}, principal)).id
    area.settle(dataOf(await area.act('revokeMandate', principal, revoked)), 'succeeded')
    await area.see(principal, revoked, 'revoked')
    const pausing = (await area.active({}, principal)).id
    dataOf(await area.act('suspendMandate', principal, pausing))
    await area.see(principal, pausing, 'suspending')
    const ids = [id, foreign.id, pending, failed.resource_id, revoked, pausing, randomUUIDv7(), 'nonsense']
    expect(await area.authorize(later, ids)).toEqual([id, pending].toSorted())
    expect(await area.authorize({ ...later, client_id: 'client-two' }, [id])).toEqual([])
    area.clock.setOffsetMs(31 * 86_400_000)
    expect(await area.authorize({ ...later, grant_id: 'after its time' }, [id])).toEqual([])
    area.clock.setOffsetMs(0)
  })

  test('and a row that gave it is never changed', async () => {
    await area.active()
    const change = statement('test_change', "UPDATE mandate_authorities SET grant_id = 'another'")
    await expect(area.db.rows(change)).rejects.toThrow('never changed')
  })
})

describe('the owner’s view', () => {
  const copies = statement(
    'test_copies',
    `INSERT INTO mandates SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'operation_id',
       gen_random_uuid(), 'state', $2::text, 'created_at', m.created_at + n * interval '1 second'))).*
     FROM mandates m, generate_series(1, $3::int) n WHERE m.id = $1`,
  )

  test('has all that are running, however many newer ones are over, and the newest of those', async () => {
    const { principal, id } = await area.active()
    const { owner_id } = principal
    await area.db.rows(copies, [id, 'active', 130])
    await area.db.rows(copies, [id, 'revoked', 300])
    const running = await area.find.mandates({ owner_id, which: 'running', after: null })
    expect(running).toHaveLength(100)
    const last = running.at(-1)
    const after = { created_at: last?.created_at ?? '', id: last?.id ?? '' }
    const rest = await area.find.mandates({ owner_id, which: 'running', after })
    expect(rest).toHaveLength(31)
    const all = [...running, ...rest]
    expect(new Set(all.map((mandate) => mandate.id)).size).toBe(131)
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['active']))
    expect(all.at(-1)?.id).toBe(id)
    const over = await area.find.mandates({ owner_id, which: 'over' })
    expect(over).toHaveLength(50)
    expect(new Set(over.map(({ state }) => state))).toEqual(new Set(['revoked']))
    expect(over.map(({ created_at }) => created_at)).toEqual(
      over
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    )
  })

  test('counts a mandate as over once its time is, unless something about it is still under way', async () => {
    const { principal, id } = await area.active()
    const { owner_id } = principal
    await area.db.rows(copies, [id, 'revocation_failed', 1])
    area.clock.setOffsetMs(31 * 86_400_000)
    const states = async (which: 'running' | 'over') =>
      (await area.find.mandates({ owner_id, which, after: null })).map(({ state }) => state)
    expect([await states('running'), await states('over')]).toEqual([['revocation_failed'], ['expired']])
    area.clock.setOffsetMs(0)
    expect(await states('over')).toEqual([])
  })
})
