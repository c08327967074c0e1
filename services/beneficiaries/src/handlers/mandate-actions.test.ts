/** Suspensions and revocations: their states, one of each at a time, and the fences that the submitter is asked for. */

import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { newContext } from '@financial-agents/bus/headers'
import { call, type Reply } from '@financial-agents/bus/rpc'
import { accountPageClient } from '@financial-agents/contract/principal'
import type { Mandate } from '@financial-agents/contract/schemas/mandate'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { settleUnheard } from '@financial-agents/writes/testing/stub-operations'
import { afterAll, describe, expect, test } from 'vitest'
import { startMandates } from '../mandates/area.test-helper.ts'

const area = await startMandates()
afterAll(() => area.stop())

const codeOf = async (reply: ReturnType<typeof area.act>) => problemOf(await reply).code
/** Lists the requests to the submitter. A request that is not confirmed in time is repeated, and counts once. */
const fencesOf = (id: string) => [...new Set(area.fences.of(id).map(({ version }) => version))]

test('a suspension stops transfers from its acceptance on, and is seen once the submitter has the fence', async () => {
  const { principal, id, operation } = await area.active()
  const suspension = dataOf(await area.act('suspendMandate', principal, id))
  expect(await codeOf(area.transfer(principal, id))).toBe('mandate_not_active')
  await area.see(principal, id, 'suspending')
  await expect
    .poll(() => area.fences.of(id)[0])
    .toEqual({
      target: 'mandate',
      target_id: id,
      reason: 'mandate_suspend',
      version: 1,
    })
  const asked = area.operations.asked.find(({ operation_id }) => operation_id === suspension.id)
  expect(asked).toMatchObject({ kind: 'mandate_suspend', resource_id: id, target_reference: `of ${operation.id}` })
  area.settle(suspension, 'succeeded')
  await area.see(principal, id, 'suspended')
  expect(await codeOf(area.transfer(principal, id))).toBe('mandate_not_active')
  expect(await codeOf(area.act('suspendMandate', principal, id))).toBe('mandate_not_active')
})

test.each(['failed', 'cancelled'] as const)(
  'a %s suspension suspends the mandate all the same and keeps the fence, and the mandate can still be revoked',
  async (to) => {
    const { principal, id } = await area.active()
    area.settle(dataOf(await area.act('suspendMandate', principal, id)), to)
    await area.see(principal, id, 'suspended')
    expect(await codeOf(area.transfer(principal, id))).toBe('mandate_not_active')
    expect(await codeOf(area.act('suspendMandate', principal, id))).toBe('mandate_not_active')
    const { owner_id } = principal
    const byOwner = { owner_id, mandate_id: id, key: randomUUID(), action: 'suspend' } as const
    expect(await area.ownerActs(byOwner)).toMatchObject({ code: 'mandate_not_active' })
    const revocation = dataOf(await area.act('revokeMandate', principal, id))
    await area.see(principal, id, 'revoking')
    area.settle(revocation, 'succeeded')
    await area.see(principal, id, 'revoked')
    expect(fencesOf(id)).toEqual([1])
  },
)

test('who has read an outcome reads the mandate in its new state, alone, in lists and in the next write, before any event', async () => {
  const { principal, id } = await area.active()
  const suspension = dataOf(await area.act('suspendMandate', principal, id))
  settleUnheard(area.operations, suspension.id, 'succeeded')
  await area.see(principal, id, 'suspended')
  const revocation = dataOf(await area.act('revokeMandate', principal, id))
  settleUnheard(area.operations, revocation.id, 'failed')
  const { items } = dataOf((await area.route('listMandates', principal, {})) as Reply<{ items: Mandate[] }>)
  expect(items).toMatchObject([{ id, state: 'revocation_failed' }])
  const again = dataOf(await area.act('revokeMandate', principal, id))
  settleUnheard(area.operations, again.id, 'succeeded')
  const over = { owner_id: principal.owner_id, which: 'running', after: null } as const
  await expect.poll(() => area.find.mandates(over), { timeout: 120_000 }).toEqual([])
  await area.see(principal, id, 'revoked')
})

test('one suspension at a time, also while the first is undecided', async () => {
  const { principal, id } = await area.active()
  const replies = await Promise.all(Array.from({ length: 20 }, () => area.act('suspendMandate', principal, id)))
  expect(replies.filter((reply) => reply.ok)).toHaveLength(1)
  const codes = replies.filter((reply) => !reply.ok).map((reply) => problemOf(reply).code)
  expect(new Set(codes)).toEqual(new Set(['resource_busy']))
})

test('a revocation hands off the confirmation, fences, and ends the mandate for good', async () => {
  const { principal, id } = await area.active()
  const revocation = dataOf(await area.act('revokeMandate', principal, id))
  const asked = area.operations.asked.find(({ operation_id }) => operation_id === revocation.id)
  expect(asked?.confirmation).toEqual({ action: 'mandate_revoke', intent_id: `intent ${id}` })
  await area.see(principal, id, 'revoking')
  expect(await codeOf(area.act('revokeMandate', principal, id))).toBe('mandate_revocation_in_progress')
  expect(await codeOf(area.act('suspendMandate', principal, id))).toBe('mandate_not_active')
  area.settle(revocation, 'succeeded')
  await area.see(principal, id, 'revoked')
  expect(await codeOf(area.act('revokeMandate', principal, id))).toBe('mandate_already_revoked')
  expect(fencesOf(id)).toEqual([1])
})

test.each(['failed', 'cancelled'] as const)(
  'a %s revocation keeps the fence, and can be asked for again',
  async (to) => {
    const { principal, id } = await area.active()
    area.settle(dataOf(await area.act('revokeMandate', principal, id)), to)
    await area.see(principal, id, 'revocation_failed')
    expect(await codeOf(area.transfer(principal, id))).toBe('mandate_not_active')
    expect(await codeOf(area.act('suspendMandate', principal, id))).toBe('mandate_not_active')
    const again = dataOf(await area.act('revokeMandate', principal, id))
    await area.see(principal, id, 'revoking')
    area.settle(again, 'succeeded')
    await area.see(principal, id, 'revoked')
    expect(fencesOf(id)).toEqual([1])
  },
)

test('a suspension that fails during a revocation changes nothing visible, and lifts nothing', async () => {
  const { principal, id } = await area.active()
  const suspension = dataOf(await area.act('suspendMandate', principal, id))
  const revocation = dataOf(await area.act('revokeMandate', principal, id))
  await area.see(principal, id, 'revoking')
  const marker = await area.active()
  area.settle(suspension, 'failed')
  area.settle(dataOf(await area.act('suspendMandate', marker.principal, marker.id)), 'succeeded')
  await area.see(marker.principal, marker.id, 'suspended')
  expect((await area.get(principal, id)).state).toBe('revoking')
  expect(await codeOf(area.act('suspendMandate', principal, id))).toBe('mandate_not_active')
  area.settle(revocation, 'failed')
  await area.see(principal, id, 'revocation_failed')
  expect(fencesOf(id)).toEqual([1])
})

describe('a revocation is accepted', () => {
  test('from suspended and from exhausted', async () => {
    const suspended = await area.active()
    area.settle(dataOf(await area.act('suspendMandate', suspended.principal, suspended.id)), 'succeeded')
    await area.see(suspended.principal, suspended.id, 'suspended')
    dataOf(await area.act('revokeMandate', suspended.principal, suspended.id))
    const exhausted = await area.active({ payment_count: 1 })
    dataOf(await area.transfer(exhausted.principal, exhausted.id))
    expect((await area.get(exhausted.principal, exhausted.id)).state).toBe('exhausted')
    expect(await codeOf(area.act('suspendMandate', exhausted.principal, exhausted.id))).toBe('mandate_not_active')
    dataOf(await area.act('revokeMandate', exhausted.principal, exhausted.id))
  })

  test('from no mandate that has expired, and from none that this client does not see', async () => {
    const { principal, id } = await area.active()
    for (const action of ['suspendMandate', 'revokeMandate'] as const) {
      expect(await codeOf(area.act(action, { ...principal, client_id: 'client-two' }, id))).toBe('mandate_not_found')
      expect(await codeOf(area.act(action, { ...principal, owner_id: randomUUID() }, id))).toBe('mandate_not_found')
      expect(await codeOf(area.act(action, principal, randomUUIDv7()))).toBe('mandate_not_found')
    }
    area.clock.setOffsetMs(31 * 86_400_000)
    for (const action of ['suspendMandate', 'revokeMandate'] as const)
      expect(await codeOf(area.act(action, principal, id))).toBe('mandate_not_active')
    area.clock.setOffsetMs(0)
  })

  test('not by a confirmation that is not good: then the mandate is free for the next', async () => {
    const { principal, id } = await area.active()
    area.operations.validateConfirmation = () => 'confirmation_declined'
    expect(await codeOf(area.act('revokeMandate', principal, id))).toBe('confirmation_declined')
    area.operations.validateConfirmation = () => undefined
    expect((await area.get(principal, id)).state).toBe('active')
    expect(fencesOf(id)).toEqual([])
    dataOf(await area.act('revokeMandate', principal, id))
  })
})

test('a replay of a revocation is answered while it is under way and after it', async () => {
  const { principal, id } = await area.active()
  const key = randomUUID()
  const first = dataOf(await area.act('revokeMandate', principal, id, { key }))
  const again = () => area.act('revokeMandate', principal, id, { key })
  expect(await again()).toMatchObject({ replayed: true, data: { id: first.id } })
  area.settle(first, 'succeeded')
  await area.see(principal, id, 'revoked')
  expect(await again()).toMatchObject({ replayed: true, data: { id: first.id } })
})

test('a fence that got no answer is asked for again until it is confirmed, and nothing is reported before', async () => {
  const { principal, id } = await area.active()
  let silent = true
  area.fences.heard.answers = async () => {
    if (silent) throw new Error('lost')
  }
  area.settle(dataOf(await area.act('suspendMandate', principal, id)), 'succeeded')
  await expect.poll(() => fencesOf(id).length).toBeGreaterThan(0)
  expect((await area.get(principal, id)).state).toBe('suspending')
  silent = false
  area.clock.setOffsetMs(15_000)
  await area.see(principal, id, 'suspended')
  area.clock.setOffsetMs(0)
  expect(fencesOf(id)).toEqual([1])
})

test('of transfers and a suspension at once, none is reserved after the suspension is accepted, and the caps hold', async () => {
  const { principal, id } = await area.active({
    per_payment_max: '1',
    payment_count: 1_000,
  })
  const transfers = Array.from({ length: 60 }, () => area.transfer(principal, id))
  const suspension = area.act('suspendMandate', principal, id)
  const replies = await Promise.all(transfers)
  dataOf(await suspension)
  const accepted = replies.filter((reply) => reply.ok).length
  const { remaining, state } = await area.get(principal, id)
  expect(state).toBe('suspending')
  expect(remaining.total).toBe(`${400 - accepted}.00`)
  expect(await codeOf(area.transfer(principal, id))).toBe('mandate_not_active')
})

test('the owner pauses and ends a mandate on the pages without a client, once for each form; nobody else does', async () => {
  const { principal, id } = await area.active()
  const key = randomUUID()
  const by = { owner_id: principal.owner_id, mandate_id: id, key }
  expect(await area.ownerActs({ ...by, owner_id: randomUUIDv7(), action: 'suspend' })).toMatchObject({
    code: 'mandate_not_found',
  })
  expect(await area.ownerActs({ ...by, action: 'suspend' })).toBeNull()
  expect(await area.ownerActs({ ...by, action: 'suspend' })).toBeNull()
  await area.see(principal, id, 'suspending')
  const asked = () => area.operations.asked.filter(({ mandate_id }) => mandate_id === id)
  const [suspension] = asked()
  expect(new Set(asked().map(({ operation_id }) => operation_id)).size).toBe(1)
  expect(suspension).toMatchObject({ kind: 'mandate_suspend', principal: { client_id: accountPageClient } })
  expect(suspension?.confirmation ?? null).toBeNull()
  area.settle({ id: suspension?.operation_id ?? '', kind: 'mandate_suspend' }, 'succeeded')
  await area.see(principal, id, 'suspended')
  expect(await area.ownerActs({ ...by, key: randomUUID(), action: 'suspend' })).toMatchObject({
    code: 'mandate_not_active',
  })
  expect(await area.ownerActs({ ...by, key: randomUUID(), action: 'revoke' })).toBeNull()
  await area.see(principal, id, 'revoking')
})

test('the owner lowers caps, which hold for the next payment; nobody raises one, and none falls below what is reserved', async () => {
  const { principal, id } = await area.active()
  const by = { owner_id: principal.owner_id, mandate_id: id }
  const { per_payment_max, daily_max, weekly_max, monthly_max, total_cap } = await area.get(principal, id)
  const caps = { per_payment_max, daily_max, weekly_max, monthly_max, total_cap }
  dataOf(await area.transfer(principal, id))
  dataOf(await area.transfer(principal, id))
  const codes = async (changes: Partial<typeof caps>, other = {}) =>
    (await area.ownerLowers({ ...by, caps: { ...caps, ...changes }, ...other }))?.code ?? null
  expect(await codes({}, { owner_id: randomUUIDv7() })).toBe('mandate_not_found')
  expect(await codes({ total_cap: '400.01' })).toBe('validation_failed')
  expect(await codes({ per_payment_max: '1', daily_max: '1.99' })).toBe('validation_failed')
  expect(await codes({ per_payment_max: 'one' })).toBe('validation_failed')
  expect(await area.get(principal, id)).toMatchObject(caps)

  expect(await codes({ per_payment_max: '1.00', daily_max: '2.50', total_cap: '400.0' })).toBeNull()
  expect(await area.get(principal, id)).toMatchObject({
    ...caps,
    per_payment_max: '1.00',
    daily_max: '2.50',
    state: 'active',
    remaining: { daily: '0.50', total: '398.00' },
  })
  expect(await codeOf(area.transfer(principal, id))).toBe('mandate_cap_exceeded')
  // A lowered limit cannot be raised again.
  expect(await codes({ daily_max: '2.51' })).toBe('validation_failed')
  dataOf(await area.act('suspendMandate', principal, id))
  expect(await codes({ per_payment_max: '0.5', daily_max: '2' })).toBe('mandate_not_active')
})

test('the cap of a payment is not lowered below a draft that may still be accepted', async () => {
  const { principal, id } = await area.active()
  const { per_payment_max: _lowered, ...rest } = await area.get(principal, id)
  const { daily_max, weekly_max, monthly_max, total_cap } = rest
  const caps = { per_payment_max: '1', daily_max, weekly_max, monthly_max, total_cap }
  const lower = async () =>
    (await area.ownerLowers({ owner_id: principal.owner_id, mandate_id: id, caps }))?.fields ?? null
  const payment = dataOf(await area.transfer(principal, id, { amount: '1.5' }))
  const setState = (state: string) =>
    area.db.rows(statement('', 'UPDATE writes SET state = $2 WHERE operation_id = $1'), [payment.id, state])
  await setState('draft')
  expect(await lower()).toMatchObject([{ path: 'per_payment_max' }])
  await setState('accepted')
  expect(await lower()).toBeNull()
  expect((await area.get(principal, id)).per_payment_max).toBe('1.00')
})

test('the caps of a mandate are reported with the part that is used, in the periods of the payment', async () => {
  const { principal, id } = await area.active()
  const { daily_max, payment_count } = await area.get(principal, id)
  dataOf(await area.transfer(principal, id, { amount: '1.5' }))
  const notifier = await area.nats.connect('notifier')
  const at = area.clock.now().toISOString()
  const asked = {
    mandates: [
      { mandate_id: id, at },
      { mandate_id: 'nothing', at },
    ],
  }
  const caps = await call(notifier, 'int.beneficiaries.cap-use', asked, newContext(60_000))
  expect(caps.map(({ cap, used }) => [cap, used])).toEqual([
    ['daily_max', '1.5'],
    ['weekly_max', '1.5'],
    ['monthly_max', '1.5'],
    ['total_cap', '1.5'],
    ['payment_count', '1'],
  ])
  const percent = Math.floor(150 / Number(daily_max))
  expect(caps[0]).toMatchObject({
    period_start: at.slice(0, 10),
    limit: String(Number(daily_max)),
    used_percent: percent,
    currency: 'EUR',
  })
  expect(caps[4]).toMatchObject({ period_start: null, limit: String(payment_count), currency: null })
})

test('payments that the database has lost count against the caps once, even above them, and are told to the client', async () => {
  const { principal, id } = await area.active()
  const provisioner = await area.nats.connect('provisioner')
  const { remaining, total_cap } = await area.get(principal, id)
  const lost = (amount: string) => ({
    operation_id: randomUUID(),
    id: randomUUID(),
    owner_id: principal.owner_id,
    client_id: principal.client_id,
    mandate_id: id,
    beneficiary_id: randomUUID(),
    amount,
    currency: 'EUR',
    day: area.clock.now().toISOString().slice(0, 10),
  })
  const payments = [
    lost('1.5'),
    lost('1'),
    { ...lost('1'), mandate_id: null },
    { ...lost('1'), mandate_id: randomUUID() },
  ]
  const reserveAgain = (given: typeof payments) =>
    call(provisioner, 'int.beneficiaries.reserve-again', { payments: given }, newContext(60_000))
  for (let run = 0; run < 2; run += 1) await reserveAgain(payments)
  const after = await area.get(principal, id)
  for (const name of ['daily', 'weekly', 'monthly', 'total'] as const)
    expect(Number(after.remaining[name])).toBe(Number(remaining[name]) - 2.5)
  expect(after.remaining.payments).toBe(remaining.payments - 2)
  await reserveAgain([lost(total_cap), lost(total_cap)])
  expect(await area.get(principal, id)).toMatchObject({
    state: 'exhausted',
    remaining: { daily: '0.00', total: '0.00' },
  })
})

test('a mandate whose end the database has lost is suspended, once', async () => {
  const { principal, id } = await area.active()
  const provisioner = await area.nats.connect('provisioner')
  const repeatEnd = (target_id: string) =>
    call(provisioner, 'int.beneficiaries.repeat-end', { target_id, reason: 'mandate_revoke' }, newContext(60_000))
  expect(await repeatEnd(id)).toBe(true)
  expect(await repeatEnd(id)).toBe(false)
  expect(await repeatEnd('nothing')).toBe(false)
  await expect.poll(async () => (await area.get(principal, id)).state, { timeout: 20_000 }).toBe('suspended')
})
