import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Principal } from '@financial-agents/contract/principal'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { dataOf, problemOf, transition, untilDraftsAreDecidedMs } from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ceilings, eur, newPrincipal, noPolicy, startStack } from '../started.test-helper.ts'

const stack = await startStack({ replicas: 2 })
afterAll(() => stack.stop())

const { operations, lostAnswers } = stack
const setTime = (aheadMs: number) => stack.clock.setOffsetMs(aheadMs)
const gbp = (amount: string) => ({ amount, currency: 'GBP' })

beforeEach(() => {
  operations.beforeAccept = async () => {}
  operations.beforeAnswer = async () => {}
  operations.validateConfirmation = () => undefined
  operations.validatePayment = () => undefined
  stack.enabledCapabilities.splice(0, Number.POSITIVE_INFINITY, 'transfers.execute')
  setTime(0)
})

const eventually = { timeout: 120_000, interval: 25 }

/** An owner with an active beneficiary, and a request body that pays the beneficiary. */
function newOwner(changes: Parameters<typeof stack.addBeneficiary>[1] = {}, { addBeneficiary } = stack) {
  const principal = newPrincipal()
  const beneficiary_id = addBeneficiary(principal.owner_id, changes)
  const body = (amount: string, more: Record<string, unknown> = {}) => ({
    beneficiary_id,
    amount,
    currency: changes.currency ?? 'EUR',
    ...more,
  })
  return { principal, beneficiary_id, body }
}

const statesOf = async (principal: Principal) => (await stack.rows(principal)).map(({ state }) => state)

test('a withdrawal is offered with what it pays; the provider learns whom it pays by its own reference', async () => {
  const { principal, beneficiary_id, body } = newOwner()
  const memo = 'Rent, March ❤️'
  const policy = ceilings({ per_day: eur('20') })
  const operation = dataOf(await stack.withdraw(principal, body('12.50', { purpose_code: 'rent', memo }), { policy }))
  expect(operation).toMatchObject({ kind: 'transfer', state: 'accepted', resource_type: 'withdrawal' })
  const { id: operation_id, resource_id: id } = operation
  expect(await stack.rows(principal)).toEqual([{ id, operation_id, state: 'accepted' }])
  const asked = operations.asked.find(({ operation_id }) => operation_id === operation.id)
  expect(asked).toMatchObject({
    kind: 'transfer',
    route: 'POST /v1/spending-account/withdrawals',
    target_reference: `ref-${beneficiary_id}`,
    mandate_id: null,
    confirmation: null,
    principal,
  })
  const sealed = Buffer.from(asked?.payload_sealed ?? '', 'base64')
  expect(JSON.parse(stack.payloadSealer.open(sealed, operation.id).toString())).toEqual({
    beneficiary_id,
    amount: '12.5',
    currency: 'EUR',
    purpose_code: 'rent',
    memo,
  })
  const { reference_sealed, ...payment } = asked?.payment ?? { reference_sealed: null }
  expect(payment).toEqual({ beneficiary_id, amount: '12.5', currency: 'EUR', rule: null, ceilings: policy.ceilings })
  // The reference is sealed in a context of its own, because it outlives the payload.
  const reference = Buffer.from(reference_sealed ?? '', 'base64')
  expect(stack.payloadSealer.open(reference, operation.resource_id).toString()).toBe(memo)
  expect(() => stack.payloadSealer.open(reference, operation.id)).toThrow()
})

describe('the key comes first', () => {
  test('200 equal concurrent requests make one operation', async () => {
    const { principal, body } = newOwner()
    const key = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 200 }, () =>
        stack.withdraw(principal, body('7'), { key, policy: ceilings({ per_day: eur('10') }) }),
      ),
    )
    expect(new Set(replies.map((reply) => dataOf(reply).id)).size).toBe(1)
    expect(replies.filter((reply) => reply.ok && !reply.replayed)).toHaveLength(1)
    expect(await statesOf(principal)).toEqual(['accepted'])
  })

  test('a lost response is recovered although capability, beneficiary, ceilings, limits and confirmation would refuse now', async () => {
    const { principal, beneficiary_id, body } = newOwner()
    const key = randomUUID()
    const { id } = dataOf(await stack.withdraw(principal, body('80'), { key }))
    stack.enabledCapabilities.length = 0
    const again = { ok: true, replayed: true, data: { id } }
    expect(await stack.withdraw(principal, body('80'), { key })).toMatchObject(again)
    stack.enabledCapabilities.push('transfers.execute')
    stack.changeBeneficiary(beneficiary_id, { state: 'failed' })
    expect(await stack.withdraw(principal, body('80'), { key })).toMatchObject(again)
    stack.changeBeneficiary(beneficiary_id, { state: 'active' })
    const policy: GrantPolicy = {
      ceilings: { per_payment: eur('1'), per_day: eur('1') },
      confirmation: [{ action: 'transfer', above: null }],
    }
    expect(await stack.withdraw(principal, body('80'), { key, policy })).toMatchObject(again)
    stack.credentialsOf.set(principal.binding_id ?? '', 'test-user-nobody')
    setTime(61_000)
    expect(await stack.withdraw(principal, body('80'), { key })).toMatchObject(again)
    expect(await statesOf(principal)).toEqual(['accepted'])
  })

  test('a key of another request conflicts before anything is refused, and leaves no draft', async () => {
    const { principal, body } = newOwner()
    const key = randomUUID()
    dataOf(await stack.withdraw(principal, body('3'), { key }))
    for (const other of [body('4'), body('4', { beneficiary_id: randomUUIDv7() }), body('400000')])
      expect(problemOf(await stack.withdraw(principal, other, { key })).code).toBe('idempotency_key_conflict')
    expect(await statesOf(principal)).not.toContain('draft')
  })
})

describe('whom it pays', () => {
  test('a capability that is not enabled refuses before the beneficiary is looked at', async () => {
    stack.enabledCapabilities.length = 0
    const { principal, body } = newOwner()
    for (const each of [body('1'), body('1', { beneficiary_id: randomUUIDv7() })])
      expect(problemOf(await stack.withdraw(principal, each)).code).toBe('capability_unavailable')
    expect(await stack.rows(principal)).toEqual([])
  })

  test('an unknown and a foreign beneficiary are refused alike', async () => {
    const { principal, body } = newOwner()
    const foreign = newOwner().beneficiary_id
    const refusals = []
    for (const beneficiary_id of [foreign, randomUUIDv7()])
      refusals.push(problemOf(await stack.withdraw(principal, body('1', { beneficiary_id }))))
    expect(refusals[0]).toMatchObject({ code: 'validation_failed', fields: [{ path: 'beneficiary_id' }] })
    expect(refusals[1]).toEqual(refusals[0])
  })

  test.each([
    ['one that is not active yet', { state: 'pending', upstream_reference: null }, {}, 'beneficiary_id', /^Wait/],
    ['one that failed', { state: 'failed', upstream_reference: null }, {}, 'beneficiary_id', /^Name another/],
    ['another currency than the beneficiary’s', {}, { currency: 'USD' }, 'currency', /^Send EUR/],
    [
      'one for which the provider states no limits',
      { payout_schema_id: 'sepa_zz_eur' },
      {},
      'beneficiary_id',
      /states no withdrawal limits/,
    ],
  ] as const)('%s is refused with its path', async (_name, changes, more, path, message) => {
    const { principal, body } = newOwner(changes)
    const problem = problemOf(await stack.withdraw(principal, body('1', more)))
    expect(problem).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
    expect(problem.fields?.[0]?.message).toMatch(message)
    expect(await stack.rows(principal)).toEqual([])
  })
})

describe('the provider’s limits', () => {
  const swift = { payout_schema_id: 'swift_us_usd', country: 'US', currency: 'USD' }
  test.each([
    ['below the minimum', swift, '24.99', {}, 'amount', '25.00 USD'],
    ['above the maximum', {}, '100000.01', {}, 'amount', '100000.00 EUR'],
    ['finer than the currency', {}, '10.005', {}, 'amount', 'at most 2 digits'],
    ['much finer than the currency', {}, '0.0100000000000001', {}, 'amount', 'at most 2 digits'],
    ['a memo too long', {}, '1', { memo: '😀'.repeat(141) }, 'memo', '0 to 140'],
    ['a purpose that is not listed', swift, '30', { purpose_code: 'rent' }, 'purpose_code', 'family_support, goods'],
    ['control characters in the memo', {}, '1', { memo: 'a\u0000' }, 'memo', 'control characters'],
  ] as const)('%s is refused with its path and the limit', async (_name, changes, amount, more, path, named) => {
    const { principal, body } = newOwner(changes)
    const problem = problemOf(await stack.withdraw(principal, body(amount, more)))
    expect(problem).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
    expect(problem.fields?.[0]?.message).toContain(named)
    expect(problem.detail).toContain(named)
  })

  test('exactly the maximum, the longest memo in code points and a listed purpose pass', async () => {
    const sepa = newOwner()
    dataOf(await stack.withdraw(sepa.principal, sepa.body('100000.00', { memo: '😀'.repeat(140) })))
    const usd = newOwner(swift)
    dataOf(await stack.withdraw(usd.principal, usd.body('25', { purpose_code: 'goods' })))
  })

  test('they are asked for once by however many requests, and again after some seconds', async () => {
    let asked = 0
    // Only one replica, because each has its own cache. Time passes only when the test moves the clock.
    const alone = await startStack({
      clock: createFrozenClock(),
      adapt: (provider) => ({
        ...provider,
        withdrawalLimits: (call) => {
          asked += 1
          return provider.withdrawalLimits(call)
        },
      }),
    })
    onTestFinished(() => alone.stop())
    const principal = newPrincipal()
    const body = { beneficiary_id: alone.addBeneficiary(principal.owner_id), amount: '1', currency: 'EUR' }
    const withdraw = async () => dataOf(await alone.withdraw(principal, body))
    await Promise.all(Array.from({ length: 10 }, withdraw))
    alone.clock.setOffsetMs(9_999)
    await withdraw()
    expect(asked).toBe(1)
    alone.clock.setOffsetMs(10_000)
    await withdraw()
    expect(asked).toBe(2)
  })

  test('a provider that cannot be read refuses, and nothing is drafted', async () => {
    const { principal, body } = newOwner()
    await stack.provider.ask('POST', '/control/faults', {
      script: 'drop_before_accept',
      match: { kind: 'withdrawalLimits' },
    })
    expect(problemOf(await stack.withdraw(principal, body('1'))).code).toBe('provider_unavailable')
    await stack.provider.ask('DELETE', '/control/faults')
    expect(await stack.rows(principal)).toEqual([])
    dataOf(await stack.withdraw(principal, body('1')))
  })
})

describe('ceilings', () => {
  test.each([
    ['one payment above the ceiling of one', { per_payment: eur('50') }, '50.01', 'per_payment: at most 50.00 EUR'],
    ['one payment above the ceiling of a day', { per_day: eur('50') }, '50.01', 'per_day: at most 50.00 EUR'],
    ['a ceiling of one in another currency', { per_payment: gbp('1000') }, '1', 'per_payment is in GBP'],
    ['a ceiling of a day in another currency', { per_day: gbp('1000') }, '1', 'per_day is in GBP'],
    ['one of two in another currency', { per_payment: eur('9'), per_day: gbp('9') }, '1', 'per_day is in GBP'],
  ] as const)('%s refuses before anything is drafted, and is named', async (_name, given, amount, detail) => {
    const { principal, body } = newOwner()
    const problem = problemOf(await stack.withdraw(principal, body(amount), { policy: ceilings(given) }))
    expect(problem).toMatchObject({ code: 'grant_ceiling_exceeded', fields: null })
    expect(problem.detail).toContain(detail)
    expect(await stack.rows(principal)).toEqual([])
  })

  test('one payment may be the ceiling, and no more', async () => {
    const { principal, body } = newOwner()
    const policy = ceilings({ per_payment: eur('50'), per_day: eur('50') })
    dataOf(await stack.withdraw(principal, body('50.00'), { policy }))
  })

  test('what is left of the day is validated in acceptance, whose refusal the client reads and whose draft is void', async () => {
    const { principal, body } = newOwner()
    operations.validatePayment = () => 'per_day: at most 9 EUR in a UTC day, of which 1 EUR remain.'
    const problem = problemOf(await stack.withdraw(principal, body('5'), { policy: ceilings({ per_day: eur('9') }) }))
    expect(problem).toMatchObject({ code: 'grant_ceiling_exceeded', detail: operations.validatePayment({} as never) })
    expect(await statesOf(principal)).toEqual(['void'])
  })

  test('an equal request that joins the draft of another grant is validated by the ceilings under which it comes itself', async () => {
    const { principal, body } = newOwner()
    const key = randomUUID()
    operations.beforeAccept = lostAnswers.lose
    const first = await stack.withdraw(principal, body('5'), { key })
    expect(problemOf(first).code).toBe('acceptance_unknown')
    operations.beforeAccept = async () => {}
    const other = { ...principal, grant_id: randomUUID() }
    const policy = ceilings({ per_day: eur('6') })
    const { id } = dataOf(await stack.withdraw(other, body('5'), { key, policy }))
    const asked = operations.asked.filter((each) => each.key === key)
    expect(asked.map(({ operation_id }) => operation_id)).toEqual([id, id])
    expect(asked.map(({ payment }) => payment?.ceilings.per_day)).toEqual([null, eur('6')])
    expect(asked.map((each) => each.principal.grant_id)).toEqual([principal.grant_id, other.grant_id])
  })
})

describe('what becomes of it', () => {
  test.each(['succeeded', 'failed', 'cancelled'] as const)('its write follows an operation that %s', async (to) => {
    const { principal, body } = newOwner()
    const { id } = dataOf(await stack.withdraw(principal, body('5')))
    stack.publish([transition({ operation_id: id, kind: 'transfer', to })])
    await vi.waitFor(async () => expect(await statesOf(principal)).toEqual([to]), eventually)
  })

  test('without an answer to accept the draft stays until operations has decided', async () => {
    const { principal, body } = newOwner()
    operations.beforeAccept = lostAnswers.lose
    expect(problemOf(await stack.withdraw(principal, body('5'))).code).toBe('acceptance_unknown')
    operations.beforeAccept = async () => {}
    expect(await statesOf(principal)).toEqual(['draft'])
    setTime(untilDraftsAreDecidedMs + 1_000)
    await vi.waitFor(async () => expect(await statesOf(principal)).toEqual(['void']), eventually)
  })
})

describe('the owner’s confirmation', () => {
  const confirmed = (above: { amount: string; currency: string } | null, more: Partial<GrantPolicy> = {}) => ({
    ...noPolicy,
    ...more,
    confirmation: [
      { action: 'mandate_create' as const, above: null },
      { action: 'transfer' as const, above },
    ],
  })

  test.each([
    ['always asked for', null, '0.01', 'confirmation_required'],
    ['asked for above another currency', { amount: '1000', currency: 'GBP' }, '1', 'confirmation_required'],
    ['asked for above less', eur('200.00'), '200.01', 'confirmation_required'],
    ['asked for above exactly as much', eur('200.00'), '200', undefined],
  ] as const)('%s', async (_name, above, amount, code) => {
    const { principal, body } = newOwner()
    const reply = await stack.withdraw(principal, body(amount), { policy: confirmed(above) })
    expect(reply.ok ? undefined : reply.problem.code).toBe(code)
    expect(await statesOf(principal)).toEqual(code ? [] : ['accepted'])
  })

  test('an intent that was sent is handed off, needed or not', async () => {
    const { principal, body } = newOwner()
    for (const policy of [noPolicy, confirmed(null)]) {
      const intentId = randomUUIDv7()
      const { id } = dataOf(await stack.withdraw(principal, body('1'), { policy, intentId }))
      const asked = operations.asked.find(({ operation_id }) => operation_id === id)
      expect(asked?.confirmation).toEqual({ action: 'transfer', intent_id: intentId })
    }
  })

  test.each([
    'confirmation_pending',
    'confirmation_declined',
    'confirmation_mismatch',
    'confirmation_expired',
    'confirmation_already_used',
    'confirmation_required',
  ] as const)('%s refuses, and the draft is void', async (code) => {
    const { principal, body } = newOwner()
    operations.validateConfirmation = () => code
    const reply = await stack.withdraw(principal, body('1'), { policy: confirmed(null), intentId: randomUUIDv7() })
    expect(problemOf(reply).code).toBe(code)
    expect(await statesOf(principal)).toEqual(['void'])
  })

  test('it is validated last: an owner is not asked to confirm what a ceiling refuses', async () => {
    const { principal, body } = newOwner()
    for (const refusing of [
      { per_payment: eur('1'), per_day: null },
      { per_payment: null, per_day: eur('1') },
    ]) {
      const policy = confirmed(null, { ceilings: refusing })
      expect(problemOf(await stack.withdraw(principal, body('2'), { policy })).code).toBe('grant_ceiling_exceeded')
    }
    expect(problemOf(await stack.withdraw(principal, body('0.001'), { policy: confirmed(null) })).code).toBe(
      'validation_failed',
    )
  })

  test('an equal request without its intent does not join the draft of one that had it', async () => {
    const { principal, body } = newOwner()
    const [key, policy] = [randomUUID(), confirmed(null)]
    operations.beforeAccept = lostAnswers.lose
    const intentId = randomUUIDv7()
    problemOf(await stack.withdraw(principal, body('5'), { key, policy, intentId }))
    operations.beforeAccept = async () => {}
    expect(problemOf(await stack.withdraw(principal, body('5'), { key, policy })).code).toBe('confirmation_required')
    expect(operations.asked.filter((asked) => asked.key === key)).toHaveLength(1)
  })
})
