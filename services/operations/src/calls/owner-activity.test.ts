import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import { type OperationState, operationStates, terminalStates } from '@financial-agents/contract/machine'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createInstance,
  newId,
  newPrincipal,
  newRequest,
  openTestOperations,
  query,
  sealer,
} from '../operations.test-helper.ts'
import { recordIntent } from '../store/confirmation-intents.ts'
import { listOwnerPayments } from '../store/owner-payments.ts'
import { createOwnerActivity, createOwnerHistory, createOwnerOperation, createOwnerSpending } from './owner-activity.ts'

const log = createLog({ service: 'operations', level: 'silent' })
let tables: Awaited<ReturnType<typeof openTestOperations>>
let instance: ReturnType<typeof createInstance>
let activity: ReturnType<typeof createOwnerActivity>

beforeAll(async () => {
  tables = await openTestOperations()
  instance = createInstance(tables.open())
  activity = createOwnerActivity(instance.db, instance.clock)
})
afterAll(() => tables.close())

// The first minutes of this UTC day, so that no test reaches the next one.
const midnightMs = -(Date.now() % 86_400_000)
let minutes = 0

/** Moves the clock to the next minute. */
function tick(): void {
  minutes += 1
  instance.clock.setOffsetMs(midnightMs + minutes * 60_000)
}

/** Accepts an operation one minute after the previous one, and puts it into a state. */
async function operate(over: Partial<AcceptRequest['principal']>, state: OperationState = 'accepted'): Promise<string> {
  const request = newRequest({ principal: { ...newPrincipal(), ...over } })
  tick()
  await instance.accept(request)
  await query(instance.db, 'UPDATE operations SET state = $2, payload_sealed = NULL WHERE id = $1', [
    request.operation_id,
    state,
  ])
  return request.operation_id
}

test('what has no outcome is in flight, over all clients and subjects, newest first; other owners are not there', async () => {
  const owner_id = newId()
  const open: string[] = []
  for (const [index, state] of operationStates.entries()) {
    const id = await operate({ owner_id, client_id: `client-${index % 3}` }, state)
    if (!(terminalStates as readonly string[]).includes(state)) open.unshift(id)
  }
  await operate({})
  const { in_flight } = await activity({ owner_id })
  expect(in_flight.map(({ operation_id }) => operation_id)).toEqual(open)
  expect(in_flight.filter(({ submission_uncertain }) => submission_uncertain)).toMatchObject([
    { state: 'indeterminate', kind: 'beneficiary_create', resource_type: 'beneficiary' },
  ])
})

test('at most 100 are shown, the newest of all clients together', async () => {
  const owner_id = newId()
  const accept = (client_id: string) =>
    Promise.all(
      Array.from({ length: 70 }, () =>
        instance.accept(newRequest({ principal: { ...newPrincipal(), owner_id, client_id } })),
      ),
    )
  instance.clock.setOffsetMs(0)
  await accept('client-one')
  instance.clock.setOffsetMs(60_000)
  await accept('client-two')
  const { in_flight, counts } = await activity({ owner_id })
  expect(counts).toEqual({ in_flight: 140, approval: 0, uncertain: 0, confirmation: 0 })
  const clients = in_flight.map(({ client_id }) => client_id)
  expect(clients).toEqual([...Array(70).fill('client-two'), ...Array(30).fill('client-one')])
})

test('the latest of each grant is reported, whatever became of it', async () => {
  const owner_id = newId()
  const [former, current, other] = [newId(), newId(), newId()]
  const subject = 'one-subject'
  await operate({ owner_id, subject, grant_id: former })
  const ofFormer = await operate({ owner_id, subject, grant_id: former }, 'failed')
  await operate({ owner_id, subject, grant_id: current })
  const ofCurrent = await operate({ owner_id, subject, grant_id: current }, 'succeeded')
  const ofOther = await operate({ owner_id, client_id: 'client-two', grant_id: other })
  const { latest } = await activity({ owner_id })
  expect(new Map(latest.map((operation) => [operation.grant_id, operation.operation_id]))).toEqual(
    new Map([
      [former, ofFormer],
      [current, ofCurrent],
      [other, ofOther],
    ]),
  )
})

test('an owner without operations has none', async () => {
  expect(await activity({ owner_id: newId() })).toEqual({
    counts: { in_flight: 0, approval: 0, uncertain: 0, confirmation: 0 },
    in_flight: [],
    latest: [],
    intents: [],
  })
})

test('what waits for the owner is counted whole, also what is older than all that the lists hold', async () => {
  const owner_id = newId()
  const old = { amount: '5', currency: 'EUR' }
  const paid = await Promise.all(['client-one', 'client-two', 'client-two'].map((client) => pay(owner_id, client, old)))
  const asked = await operate({ owner_id }, 'requires_action')
  await operate({ owner_id }, 'requires_action')
  await operate({ owner_id }, 'indeterminate')
  const ids = paid.map(({ id }) => id)
  await query(instance.db, `UPDATE operations SET state = 'indeterminate', payload_sealed = NULL WHERE id = ANY ($1)`, [
    ids,
  ])
  const action = { type: 'provider_approval', url: 'https://provider.test/approve', expires_at: null }
  await query(instance.db, 'UPDATE operations SET action_required = $2 WHERE id = $1', [asked, JSON.stringify(action)])
  tick()
  for (let more = 0; more < 100; more += 1)
    await instance.accept(newRequest({ principal: { ...newPrincipal(), owner_id, client_id: 'client-three' } }))
  const { in_flight, counts } = await activity({ owner_id })
  expect(in_flight.map(({ client_id }) => client_id)).toEqual(Array(100).fill('client-three'))
  expect(counts).toEqual({ in_flight: 106, approval: 1, uncertain: 3, confirmation: 0 })
})

test('what waits under ended access is neither listed nor counted as waiting', async () => {
  const owner_id = newId()
  const [active, ended] = [newId(), newId()]
  const action = { type: 'provider_approval', url: 'https://provider.test/approve', expires_at: null }
  for (const grant_id of [active, ended]) {
    const id = await operate({ owner_id, grant_id }, 'requires_action')
    await query(instance.db, 'UPDATE operations SET action_required = $2 WHERE id = $1', [id, JSON.stringify(action)])
    const now = instance.clock.now()
    const intent = { action: 'transfer', request_hash: 'hash', binding_id: newId(), summary: 'words' } as const
    const facts = { client: [], owner: [] }
    const term = { created_at: now, expires_at: new Date(now.getTime() + 600_000) }
    await recordIntent(instance.db, {
      id: newId(),
      owner_id,
      client_id: 'client-one',
      grant_id,
      facts,
      ...intent,
      ...term,
    })
  }
  const waitsUnder = async (active_grants?: string[]) => {
    const { in_flight, intents, counts } = await activity({ owner_id, ...(active_grants && { active_grants }) })
    expect(in_flight).toHaveLength(2)
    const approvals = in_flight.filter(({ approval }) => approval)
    expect([approvals.length, intents.length]).toEqual([counts.approval, counts.confirmation])
    return [approvals.map(({ grant_id }) => grant_id), intents.length]
  }
  expect(await waitsUnder([active])).toEqual([[active], 1])
  expect(await waitsUnder([])).toEqual([[], 0])
  expect(await waitsUnder()).toEqual([[ended, active], 2])
})

const everything = {
  client_id: null,
  mandate_id: null,
  payments_only: false,
  from: null,
  until: null,
  after: null,
  limit: 100,
}

/** Accepts a payment one minute after the previous write. */
async function pay(
  owner_id: string,
  client_id: string,
  payment: { amount: string; currency: string; mandate_id?: string },
) {
  const request = newRequest({ principal: { ...newPrincipal(), owner_id, client_id }, kind: 'transfer' })
  if (!request.payment) throw new Error('the request pays nothing')
  tick()
  const { mandate_id = null, ...money } = payment
  await instance.accept({ ...request, mandate_id, payment: { ...request.payment, ...money } })
  return { id: request.operation_id, beneficiary_id: request.payment.beneficiary_id }
}

test('the history holds payments with amount and payee beside all other acts, newest first, over all clients', async () => {
  const owner_id = newId()
  const added = await operate({ owner_id, client_id: 'client-one' })
  const paid = await pay(owner_id, 'client-two', { amount: '12.50', currency: 'EUR' })
  const later = await operate({ owner_id, client_id: 'client-one' }, 'failed')
  await pay(newId(), 'client-one', { amount: '1', currency: 'EUR' })
  const history = await createOwnerHistory(instance.db)({ ...everything, owner_id })
  expect(history.map(({ operation_id }) => operation_id)).toEqual([later, paid.id, added])
  expect(history.map(({ payment }) => payment)).toEqual([
    null,
    { amount: '12.50', currency: 'EUR', beneficiary_id: paid.beneficiary_id, mandate_id: null },
    null,
  ])
})

test.each([true, false])('pages of the history hold each operation once (payments only: %s)', async (payments_only) => {
  const owner_id = newId()
  const mandate_id = newId()
  const ids: string[] = []
  for (const client of ['client-one', 'client-two', 'client-one', 'client-three', 'client-two'])
    ids.unshift((await pay(owner_id, client, { amount: '1', currency: 'EUR', mandate_id })).id)
  if (payments_only) await operate({ owner_id, client_id: 'client-one' })
  const list = createOwnerHistory(instance.db)
  const found: string[] = []
  let after: { created_at: string; id: string } | null = null
  for (;;) {
    const page = await list({ ...everything, owner_id, payments_only, after, limit: 2 })
    found.push(...page.map(({ operation_id }) => operation_id))
    const last = page.at(-1)
    if (!last) break
    after = { created_at: last.created_at, id: last.operation_id }
  }
  expect(found).toEqual(ids)
  const of = async (some: object) =>
    (await list({ ...everything, owner_id, payments_only, ...some })).map(({ operation_id }) => operation_id)
  expect(await of({ client_id: 'client-one' })).toEqual([ids[2], ids[4]])
  const [newest] = await list({ ...everything, owner_id, payments_only, limit: 1 })
  if (payments_only) expect(await of({ mandate_id })).toEqual(ids)
  if (payments_only) expect(await of({ mandate_id: newId() })).toEqual([])
  expect(await of({ until: newest?.created_at })).toEqual(ids.slice(1))
  expect(await of({ from: newest?.created_at })).toEqual(ids.slice(0, 1))
})

test('an operation is shown with its course to its owner alone', async () => {
  const owner_id = newId()
  const { id: operation_id } = await pay(owner_id, 'client-one', { amount: '3', currency: 'EUR' })
  const find = createOwnerOperation(instance.db, { sealer, log })
  const found = await find({ owner_id, operation_id })
  expect(found?.memo).toBeNull()
  const id = found?.operation.resource_id ?? ''
  const memo = sealer.seal(Buffer.from('Rent of May'), id)
  await query(instance.db, 'UPDATE transfers SET reference_sealed = $2 WHERE id = $1', [id, memo])
  expect(await find({ owner_id, operation_id })).toMatchObject({
    operation: { operation_id, payment: { amount: '3', currency: 'EUR' }, approval: null },
    moves: [{ to: 'accepted' }],
    memo: 'Rent of May',
  })
  expect(await find({ owner_id: newId(), operation_id })).toBeNull()
  expect(await find({ owner_id, operation_id: 'nothing' })).toBeNull()
})

test('sums are those by which ceilings are validated: today, this month and in all, by client and currency', async () => {
  const owner_id = newId()
  await pay(owner_id, 'client-one', { amount: '12.50', currency: 'EUR' })
  await pay(owner_id, 'client-one', { amount: '7.5', currency: 'EUR' })
  await pay(owner_id, 'client-one', { amount: '3', currency: 'USD' })
  await pay(owner_id, 'client-two', { amount: '1', currency: 'EUR' })
  const day = (offset: number, reserved: string) =>
    query(
      instance.db,
      `INSERT INTO ceiling_days (owner_id, client_id, currency, day, reserved)
       SELECT $1, 'client-one', 'EUR', max(day) - $2::int, $3 FROM ceiling_days WHERE owner_id = $1`,
      [owner_id, offset, reserved],
    )
  await day(400, '100')
  const spending = await createOwnerSpending(instance.db, instance.clock)({ owner_id })
  expect(spending).toEqual([
    { client_id: 'client-one', currency: 'EUR', today: '20', month: '20', total: '120', under_way: '20' },
    { client_id: 'client-one', currency: 'USD', today: '3', month: '3', total: '3', under_way: '3' },
    { client_id: 'client-two', currency: 'EUR', today: '1', month: '1', total: '1', under_way: '1' },
  ])
})

test('confirmations that are open are shown to their owner, the one that ends first at the beginning', async () => {
  const owner_id = newId()
  const now = instance.clock.now()
  const ask = async (minutesLeft: number, of = owner_id) => {
    const id = newId()
    await recordIntent(instance.db, {
      id,
      owner_id: of,
      client_id: 'client-one',
      grant_id: newId(),
      action: 'service_disconnect',
      request_hash: 'hash',
      binding_id: newId(),
      summary: 'words',
      facts: { client: [], owner: [] },
      created_at: now,
      expires_at: new Date(now.getTime() + minutesLeft * 60_000),
    })
    return id
  }
  const [second, first] = [await ask(9), await ask(5)]
  await ask(-1)
  await ask(5, newId())
  const { intents, counts } = await activity({ owner_id })
  expect(counts.confirmation).toBe(2)
  expect(intents.map(({ intent_id }) => intent_id)).toEqual([first, second])
  expect(intents[0]).toEqual({
    intent_id: first,
    client_id: 'client-one',
    action: 'service_disconnect',
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + 5 * 60_000).toISOString(),
  })
  for (let more = 0; more < 30; more += 1) await ask(8)
  const many = await activity({ owner_id })
  expect(many.intents).toHaveLength(20)
  expect(many.counts.confirmation).toBe(32)
})

test('of several payments to a payee only the first is reported as the first, also if another application paid', async () => {
  const owner_id = newId()
  const first = await pay(owner_id, 'client-one', { amount: '5', currency: 'EUR' })
  const second = await pay(owner_id, 'client-two', { amount: '7.5', currency: 'EUR' })
  const elsewhere = await pay(owner_id, 'client-two', { amount: '1', currency: 'EUR' })
  await query(instance.db, 'UPDATE transfers SET beneficiary_id = $2 WHERE operation_id = ANY ($1)', [
    [first.id, second.id],
    newId(),
  ])
  const ids = [first.id, second.id, elsewhere.id]
  const reported = await listOwnerPayments(instance.db, [...ids, newId(), 'nothing'])
  expect(ids.map((id) => reported.find(({ operation_id }) => operation_id === id)?.is_first)).toEqual([
    true,
    false,
    true,
  ])
  expect(reported).toHaveLength(3)
  expect(reported.find(({ operation_id }) => operation_id === second.id)).toMatchObject({
    owner_id,
    client_id: 'client-two',
    amount: '7.5',
    currency: 'EUR',
  })
})
