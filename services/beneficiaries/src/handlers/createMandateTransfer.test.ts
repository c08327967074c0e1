import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, describe, expect, test } from 'vitest'
import { ceilings, mandateBody, startMandates } from '../mandates/area.test-helper.ts'

const area = await startMandates()
afterAll(() => area.stop())

const codeOf = async (reply: ReturnType<typeof area.transfer>) => problemOf(await reply).code

test('a transfer is offered under its mandate and its end, in canonical decimals, sealed', async () => {
  const { principal, id, operation } = await area.active({ authorized_rules: ['rent', 'power'] })
  const body = { amount: '12.50', reference: 'November', rule: 'rent' }
  const { id: operationId, resource_id, resource_type } = dataOf(await area.transfer(principal, id, body))
  const asked = area.operations.asked.find(({ operation_id }) => operation_id === operationId)
  expect(asked).toMatchObject({
    kind: 'mandate_transfer',
    mandate_id: id,
    mandate_ends_at: (await area.get(principal, id)).expires_at,
    target_reference: `of ${operation.id}`,
    confirmation: null,
  })
  const { reference_sealed, ...payment } = asked?.payment ?? { reference_sealed: null }
  const amounts = { amount: '12.5', currency: 'EUR', rule: 'rent' }
  const { beneficiary_id } = await area.get(principal, id)
  expect(payment).toEqual({ beneficiary_id, ...amounts, ceilings: { per_payment: null, per_day: null } })
  // Sealed in its own context, because the reference outlives the payload.
  const reference = Buffer.from(reference_sealed ?? '', 'base64')
  expect(area.payloadSealer.open(reference, resource_id).toString()).toBe('November')
  expect(resource_type).toBe('mandate_transfer')
  expect(resource_id).not.toBe(id)
  const payload = area.payloadSealer.open(Buffer.from(asked?.payload_sealed ?? '', 'base64'), operationId)
  expect(JSON.parse(payload.toString())).toEqual({
    amount: '12.5',
    currency: 'EUR',
    reference: 'November',
    rule: 'rent',
  })
  expect((await area.get(principal, id)).remaining).toEqual({
    daily: '87.50',
    weekly: '187.50',
    monthly: '287.50',
    total: '387.50',
    payments: 9,
  })
})

describe('a transfer is refused', () => {
  test('where the capability is not enabled, before anything else is looked at', async () => {
    const without = await startMandates({ capabilities: [] })
    const reply = await without.transfer(newPrincipal(), randomUUIDv7())
    expect(problemOf(reply).code).toBe('capability_unavailable')
    await without.stop()
  })

  test('to whoever does not see the mandate, as if there were none', async () => {
    const { principal, id } = await area.active()
    expect(await codeOf(area.transfer({ ...principal, client_id: 'client-two' }, id))).toBe('mandate_not_found')
    expect(await codeOf(area.transfer({ ...principal, owner_id: randomUUID() }, id))).toBe('mandate_not_found')
    expect(await codeOf(area.transfer(principal, randomUUIDv7()))).toBe('mandate_not_found')
    expect(await codeOf(area.transfer(principal, 'nonsense'))).toBe('mandate_not_found')
  })

  test('to the client that made the mandate for another', async () => {
    area.clients.push({
      client_id: 'client-two',
      name: 'Two',
      active_grants: [{ grant_id: 'g2', created_at: '2026-01-01T00:00:00.000Z' }],
    })
    const { principal, id } = await area.active({ authorized_clients: ['client-two'] }, newPrincipal(), {
      intentId: randomUUIDv7(),
    })
    expect(await codeOf(area.transfer(principal, id))).toBe('mandate_client_not_authorized')
    dataOf(await area.transfer({ ...principal, client_id: 'client-two', grant_id: 'g2' }, id))
    area.clients.length = 0
  })

  test('by a rule that is not among those of the mandate, and without one where there are some', async () => {
    const ruled = await area.active({ authorized_rules: ['rent'] })
    const free = await area.active()
    const of = ({ principal, id }: typeof ruled, body: object) => codeOf(area.transfer(principal, id, { ...body }))
    expect(await of(ruled, {})).toBe('mandate_rule_not_authorized')
    expect(await of(ruled, { rule: 'power' })).toBe('mandate_rule_not_authorized')
    expect(await of(free, { rule: 'rent' })).toBe('mandate_rule_not_authorized')
  })

  test('in another currency, or with a reference that could not be shown', async () => {
    const { principal, id } = await area.active()
    const fieldsOf = async (body: Record<string, unknown>) =>
      problemOf(await area.transfer(principal, id, body)).fields?.map(({ path }) => path)
    expect(await fieldsOf({ currency: 'GBP' })).toEqual(['currency'])
    expect(await fieldsOf({ reference: 'a\u0007' })).toEqual(['reference'])
    for (const amount of ['0', '-1', '1e2', '01', `1.${'0'.repeat(18)}1`, '0.001', '10.005', '0.0100000000000001'])
      expect(await fieldsOf({ amount })).toEqual(['amount'])
  })

  test('while the mandate is pending, and once it has expired or failed', async () => {
    const principal = newPrincipal()
    const body = mandateBody(await area.beneficiary(principal.owner_id), area.clock.nowMs())
    const pending = dataOf(await area.create(principal, body))
    expect(await codeOf(area.transfer(principal, pending.resource_id))).toBe('mandate_not_active')
    area.settle(pending, 'failed')
    await area.see(principal, pending.resource_id, 'failed')
    expect(await codeOf(area.transfer(principal, pending.resource_id))).toBe('mandate_not_active')
    const active = await area.active()
    area.clock.setOffsetMs(31 * 86_400_000)
    expect(await codeOf(area.transfer(active.principal, active.id))).toBe('mandate_not_active')
    expect((await area.get(active.principal, active.id)).state).toBe('expired')
    area.clock.setOffsetMs(0)
  })

  test('beyond a cap, with the cap and what remains; the refused one reserves nothing', async () => {
    const { principal, id } = await area.active()
    dataOf(await area.transfer(principal, id, { amount: '50' }))
    dataOf(await area.transfer(principal, id, { amount: '49.99' }))
    expect(problemOf(await area.transfer(principal, id, { amount: '0.02' }))).toMatchObject({
      code: 'mandate_cap_exceeded',
      detail: 'daily_max: of 100.00 EUR, 0.01 EUR remain today.',
    })
    expect((await area.get(principal, id)).remaining.total).toBe('300.01')
  })

  test.each([
    ['one payment', { per_payment: { amount: '0.99', currency: 'EUR' } }, 'per_payment: at most 0.99 EUR'],
    ['a day', { per_day: { amount: '0.99', currency: 'EUR' } }, 'per_day: at most 0.99 EUR'],
    ['a currency without a ceiling', { per_day: { amount: '9', currency: 'GBP' } }, 'per_day is in GBP'],
  ])('above the ceiling of the grant for %s, with its name; no cap is reserved', async (_name, given, detail) => {
    const { principal, id } = await area.active()
    const problem = problemOf(await area.transfer(principal, id, {}, { policy: ceilings(given) }))
    expect(problem.code).toBe('grant_ceiling_exceeded')
    expect(problem.detail).toContain(detail)
    expect((await area.get(principal, id)).remaining.total).toBe('400.00')
  })

  test('where nothing is left of the day: acceptance refuses it, and the caps of the mandate are given back', async () => {
    const { principal, id } = await area.active()
    area.operations.validatePayment = () => 'per_day: at most 9 EUR in a UTC day, of which 0 EUR remain.'
    expect(problemOf(await area.transfer(principal, id))).toMatchObject({
      code: 'grant_ceiling_exceeded',
      detail: 'per_day: at most 9 EUR in a UTC day, of which 0 EUR remain.',
    })
    area.operations.validatePayment = () => undefined
    expect((await area.get(principal, id)).remaining.total).toBe('400.00')
  })

  test('only after its key was looked at: a replay is answered while the mandate is full, suspended or expired', async () => {
    const { principal, id } = await area.active({ payment_count: 1 })
    const key = randomUUID()
    const first = dataOf(await area.transfer(principal, id, {}, { key }))
    expect(await codeOf(area.transfer(principal, id))).toBe('mandate_not_active')
    expect(await area.transfer(principal, id, {}, { key })).toMatchObject({ replayed: true, data: { id: first.id } })
    expect(await codeOf(area.transfer(principal, id, { amount: '2' }, { key }))).toBe('idempotency_key_conflict')
    expect((await area.get(principal, id)).remaining.payments).toBe(0)
  })
})

test('a hundred equal requests at two replicas reserve once', async () => {
  const { principal, id } = await area.active()
  const key = randomUUID()
  const replies = await Promise.all(Array.from({ length: 100 }, () => area.transfer(principal, id, {}, { key })))
  expect(new Set(replies.map((reply) => dataOf(reply).id)).size).toBe(1)
  expect((await area.get(principal, id)).remaining).toMatchObject({ total: '399.00', payments: 9 })
})

test('fifty equal requests at two replicas beyond a cap are each answered so, and reserve nothing', async () => {
  const { principal, id } = await area.active()
  dataOf(await area.transfer(principal, id, { amount: '50' }))
  const full = dataOf(await area.transfer(principal, id, { amount: '50' }))
  const given = { key: randomUUID() }
  const replies = await Promise.all(Array.from({ length: 50 }, () => area.transfer(principal, id, {}, given)))
  expect(replies.map((reply) => problemOf(reply).code)).toEqual(replies.map(() => 'mandate_cap_exceeded'))
  area.settle(full, 'failed')
  await expect
    .poll(async () => (await area.get(principal, id)).remaining)
    .toMatchObject({ daily: '50.00', payments: 9 })
})

test('a refused or void acceptance gives its reservation back; an outcome that failed does, one that succeeded does not', async () => {
  const { principal, id } = await area.active()
  const left = () => area.get(principal, id).then(({ remaining }) => remaining.total)
  area.operations.beforeAccept = async ({ operation_id }) => {
    area.operations.decisions.set(operation_id, false)
  }
  expect(await codeOf(area.transfer(principal, id))).toBe('service_unavailable')
  area.operations.beforeAccept = async () => {}
  await expect.poll(left).toBe('400.00')
  const [failed, done] = [dataOf(await area.transfer(principal, id)), dataOf(await area.transfer(principal, id))]
  expect(await left()).toBe('398.00')
  area.settle(done, 'succeeded')
  area.settle(failed, 'failed')
  await expect.poll(left).toBe('399.00')
  area.settle(failed, 'failed')
  area.settle(done, 'failed')
  area.settle(dataOf(await area.transfer(principal, id, { amount: '9' })), 'cancelled')
  await expect.poll(left).toBe('399.00')
})

test('an equal request does not join a draft under a mandate that has ended meanwhile', async () => {
  const { principal, id } = await area.active()
  const key = randomUUID()
  area.operations.beforeAccept = area.lostAnswers.lose
  expect(await codeOf(area.transfer(principal, id, {}, { key }))).toBe('acceptance_unknown')
  area.operations.beforeAccept = async () => {}
  area.clock.setOffsetMs(31 * 86_400_000)
  const asked = area.operations.asked.length
  expect(await codeOf(area.transfer(principal, id, {}, { key }))).toBe('mandate_not_active')
  expect(area.operations.asked).toHaveLength(asked)
  area.clock.setOffsetMs(0)
  dataOf(await area.transfer(principal, id, {}, { key }))
  expect((await area.get(principal, id)).remaining.total).toBe('399.00')
})
