import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Mandate } from '@financial-agents/contract/schemas/mandate'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, describe, expect, test } from 'vitest'
import { ceilings, mandateBody, startMandates } from '../mandates/area.test-helper.ts'

const area = await startMandates()
afterAll(() => area.stop())

const dayMs = 86_400_000
const eur = (amount: string) => ({ amount, currency: 'EUR' })
const gbp = (amount: string) => ({ amount, currency: 'GBP' })
const openPayload = (operationId: string) => {
  const asked = area.operations.asked.find(({ operation_id }) => operation_id === operationId)
  const payload = area.payloadSealer.open(Buffer.from(asked?.payload_sealed ?? '', 'base64'), operationId)
  return { asked, payload: JSON.parse(payload.toString()) as Record<string, unknown> }
}

test('a mandate is offered with its caps canonical, the payee of its beneficiary and the confirmation that was named', async () => {
  const principal = newPrincipal()
  const beneficiary_id = await area.beneficiary(principal.owner_id)
  const body = mandateBody(beneficiary_id, area.clock.nowMs(), {
    per_payment_max: '+1.250e1',
    daily_max: '0012.50',
    weekly_max: '20.',
    monthly_max: '20.0',
    total_cap: '1e18',
    expires_at: '2026-12-24T12:00:00+02:00',
  })
  expect(problemOf(await area.create(principal, body)).fields).toEqual([
    { path: 'total_cap', message: expect.stringContaining('18 digits') as string },
  ])
  const operation = dataOf(await area.create(principal, { ...body, total_cap: '1e17' }))
  const { asked, payload } = openPayload(operation.id)
  expect(asked).toMatchObject({
    kind: 'mandate_create',
    mandate_id: null,
    mandate_ends_at: '2026-12-24T10:00:00.000Z',
    target_reference: 'payee-one',
    confirmation: { action: 'mandate_create', intent_id: 'intent of a mandate' },
  })
  const agreed = {
    beneficiary_id,
    per_payment_max: '12.5',
    daily_max: '12.5',
    weekly_max: '20',
    monthly_max: '20',
    total_cap: '100000000000000000',
    payment_count: 10,
    expires_at: '2026-12-24T10:00:00.000Z',
    authorized_clients: ['client-one'],
    authorized_rules: [],
  }
  expect(payload).toEqual(agreed)
  const { state, remaining, currency, ...shown } = await area.get(principal, operation.resource_id)
  expect({ state, currency }).toEqual({ state: 'pending', currency: 'EUR' })
  expect(shown).toMatchObject({
    ...agreed,
    per_payment_max: '12.50',
    daily_max: '12.50',
    weekly_max: '20.00',
    monthly_max: '20.00',
    total_cap: '100000000000000000.00',
  })
  expect(remaining).toEqual({
    daily: '12.50',
    weekly: '20.00',
    monthly: '20.00',
    total: '100000000000000000.00',
    payments: 10,
  })
})

describe('a mandate is refused with the path of what is wrong', () => {
  const principal = newPrincipal()
  const now = area.clock.nowMs()
  test.each<[string, Record<string, unknown>]>([
    ['daily_max', { per_payment_max: '100.01' }],
    ['per_payment_max', { per_payment_max: '12.345' }],
    ['per_payment_max', { per_payment_max: '1e-3' }],
    ['daily_max', { daily_max: '+100.0010' }],
    ['total_cap', { total_cap: '400.0000000000000001' }],
    ['weekly_max', { daily_max: '300', monthly_max: '300' }],
    ['monthly_max', { weekly_max: '301' }],
    ['total_cap', { total_cap: '299.99' }],
    ['expires_at', { expires_at: new Date(now - 1).toISOString() }],
    ['expires_at', { expires_at: new Date(now + 366 * dayMs).toISOString() }],
    ['beneficiary_id', { beneficiary_id: randomUUIDv7() }],
    ['authorized_rules.0', { authorized_rules: ['a\u0000b'] }],
    ['payment_count', { payment_count: 10_001 }],
    ['payment_count', { payment_count: 0 }],
    ['daily_max', { daily_max: '-1' }],
    ['daily_max', { daily_max: '0' }],
    ['daily_max', { daily_max: '1e19' }],
    ['daily_max', { daily_max: 'NaN' }],
    ['total_cap', { total_cap: undefined }],
  ])('%s: %j', async (path, changes) => {
    const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs(), changes)
    const reply = await area.create(principal, body)
    expect(problemOf(reply)).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
  })

  test('everything at once', async () => {
    const body = mandateBody(randomUUIDv7(), now, { total_cap: '1', expires_at: '2020-01-01T00:00:00Z' })
    const paths = problemOf(await area.create(principal, body)).fields?.map(({ path }) => path)
    expect(paths).toEqual(['total_cap', 'expires_at', 'beneficiary_id'])
  })

  test.each(['pending', 'failed', 'draft', 'void'])('for a beneficiary that is %s', async (state) => {
    const beneficiary = await area.beneficiary(principal.owner_id, state)
    const problem = problemOf(await area.create(principal, mandateBody(beneficiary, area.clock.nowMs())))
    expect(problem).toMatchObject({ code: 'validation_failed', fields: [{ path: 'beneficiary_id' }] })
    if (state === 'pending') expect(problem.detail).toContain(`wait until operation ${beneficiary}`)
  })

  test('for the beneficiary of another owner, exactly as for one that does not exist', async () => {
    const theirs = await area.beneficiary(randomUUID())
    const [foreign, unknown] = [
      problemOf(await area.create(principal, mandateBody(theirs, now))),
      problemOf(await area.create(principal, mandateBody(randomUUIDv7(), now))),
    ]
    expect(foreign).toEqual(unknown)
  })
})

test('every named client gets the same answer: a client of the owner, one without a grant, and an unknown one', async () => {
  const principal = newPrincipal()
  const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
  area.clients.push(
    {
      client_id: 'client-two',
      name: 'Two',
      active_grants: [{ grant_id: 'g2', created_at: '2026-01-01T00:00:00.000Z' }],
    },
    { client_id: 'client-three', name: 'Three', active_grants: [] },
  )
  for (const authorized_clients of [['client-two'], ['client-three'], ['nobody'], ['client-one', 'nobody']]) {
    const operation = dataOf(await area.create(principal, { ...body, authorized_clients }))
    expect((await area.get(principal, operation.resource_id)).authorized_clients).toEqual(authorized_clients)
  }
  area.clients.length = 0
})

test('a principal without a binding is asked to read its onboarding again', async () => {
  const principal = newPrincipal({ binding_id: null })
  const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
  expect(problemOf(await area.create(principal, body))).toMatchObject({
    code: 'provider_connection_unavailable',
    refresh_onboarding: true,
  })
})

test.each([
  ['per_payment_max above what one payment may be', { per_payment: eur('49.99') }, 'per_payment: at most 49.99 EUR'],
  ['daily_max above what a day may come to', { per_day: eur('99') }, 'per_day: at most 99.00 EUR in a UTC day'],
  ['a currency in which the grant has no ceiling', { per_payment: gbp('999') }, 'per_payment is in GBP'],
])('a mandate that could pass the ceilings of its grant is refused: %s', async (_name, given, detail) => {
  const principal = newPrincipal()
  const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
  const problem = problemOf(await area.create(principal, body, { policy: ceilings(given) }))
  expect(problem.code).toBe('grant_ceiling_exceeded')
  expect(problem.detail).toContain(detail)
  dataOf(await area.create(principal, body, { policy: ceilings({ per_payment: eur('50'), per_day: eur('100.00') }) }))
})

test('a confirmation that is not good refuses, and leaves a mandate that nobody sees', async () => {
  const principal = newPrincipal()
  const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
  area.operations.validateConfirmation = () => 'confirmation_pending'
  expect(problemOf(await area.create(principal, body)).code).toBe('confirmation_pending')
  area.operations.validateConfirmation = () => undefined
  expect(dataOf(await area.route('listMandates', principal))).toEqual({ items: [], next_cursor: null })
})

test('a replay is answered whatever would refuse it now', async () => {
  const principal = newPrincipal()
  const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
  const key = randomUUID()
  const first = dataOf(await area.create(principal, body, { key }))
  area.clock.setOffsetMs(40 * dayMs)
  const again = await area.create(principal, body, { key })
  area.clock.setOffsetMs(0)
  expect(again).toMatchObject({ ok: true, replayed: true, data: { id: first.id } })
})

test('a draft that is not accepted is in no read; only a success activates, a failure shows', async () => {
  const principal = newPrincipal()
  const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
  let seen: unknown
  area.operations.beforeAccept = async () => {
    seen = dataOf(await area.route('listMandates', principal))
  }
  const failing = dataOf(await area.create(principal, body))
  area.operations.beforeAccept = async () => {}
  expect(seen).toEqual({ items: [], next_cursor: null })
  area.settle(failing, 'cancelled')
  await area.see(principal, failing.resource_id, 'failed')
})

test('pages follow each other newest first, for the client alone that they were made for', async () => {
  const principal = newPrincipal()
  const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
  const made: string[] = []
  for (let count = 0; count < 3; count += 1) made.unshift(dataOf(await area.create(principal, body)).resource_id)
  type Page = { items: Mandate[]; next_cursor: string | null }
  const page = async (query: Record<string, string>, who = principal) =>
    dataOf(await area.route('listMandates', who, { query })) as Page
  const first = await page({ limit: '2' })
  const second = await page({ limit: '2', cursor: first.next_cursor ?? '' })
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made)
  expect(second.next_cursor).toBeNull()
  const other = { ...principal, client_id: 'client-two' }
  const refused = await area.route('listMandates', other, { query: { limit: '2', cursor: first.next_cursor ?? '' } })
  expect(problemOf(refused).fields).toMatchObject([{ path: 'cursor' }])
})

test('is seen by the client that made it and those that it authorises, by no other client and no other owner', async () => {
  const { principal, id } = await area.active({ authorized_clients: ['client-two'] })
  const read = async (changes: object) =>
    (await area.route('getMandate', { ...principal, ...changes }, { params: { mandate_id: id } })).ok
  expect(await read({})).toBe(true)
  expect(await read({ client_id: 'client-two' })).toBe(true)
  expect(await read({ client_id: 'client-three' })).toBe(false)
  expect(await read({ owner_id: randomUUID() })).toBe(false)
  const listed = dataOf(await area.route('listMandates', { ...principal, client_id: 'client-three' }))
  expect(listed).toEqual({ items: [], next_cursor: null })
  for (const mandate_id of ['nonsense', randomUUIDv7()])
    expect(problemOf(await area.route('getMandate', principal, { params: { mandate_id } })).code).toBe(
      'mandate_not_found',
    )
})

test('other services learn of what is there, with whom it pays, and of nothing that nobody sees', async () => {
  const { principal, id } = await area.active()
  const { owner_id } = principal
  const mandate = await area.find.mandate({ owner_id, client_id: null, mandate_id: id })
  expect(mandate).toMatchObject({ id, client_id: 'client-one', beneficiary_name: 'Rui Prado', state: 'active' })
  expect(await area.find.mandate({ owner_id, client_id: 'client-two', mandate_id: id })).toBeNull()
  expect(await area.find.mandate({ owner_id: randomUUID(), client_id: null, mandate_id: id })).toBeNull()
  expect(await area.find.mandates({ owner_id, which: 'running', after: null })).toEqual([mandate])
  expect(mandate?.authorities).toEqual([{ client_id: 'client-one', grant_id: principal.grant_id }])
  const beneficiary_id = mandate?.beneficiary_id as string
  expect(await area.find.beneficiary({ owner_id, beneficiary_id })).toMatchObject({ upstream_reference: 'payee-one' })
  expect(await area.find.beneficiary({ owner_id: randomUUID(), beneficiary_id })).toBeNull()
})

test('the owner reads the names of beneficiaries and of those that mandates pay; nobody else is', async () => {
  const { principal, id } = await area.active()
  const { beneficiary_id } = await area.get(principal, id)
  const asked = { owner_id: principal.owner_id, beneficiary_ids: [beneficiary_id, 'nothing'], mandate_ids: [id] }
  const names = await area.find.names(asked)
  expect(names.map((one) => one.id)).toEqual([beneficiary_id, id])
  expect(new Set(names.map(({ beneficiary_name }) => beneficiary_name)).size).toBe(1)
  expect(await area.find.names({ ...asked, owner_id: newPrincipal().owner_id })).toEqual([])
})
