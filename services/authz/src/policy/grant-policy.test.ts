import { compareDecimals } from '@financial-agents/contract/decimals'
import { expect, test } from 'vitest'
import { effectivePolicy, registeredPolicy } from './grant-policy.ts'

const euro = (amount: string) => ({ amount, currency: 'EUR' })
const dollar = (amount: string) => ({ amount, currency: 'USD' })
const always = ['mandate_create', 'mandate_revoke', 'service_disconnect'].map((action) => ({ action, above: null }))
const ceilings = (per_payment: object | null, per_day: object | null = null) => ({ per_payment, per_day })
const registered = (policy: object) => ({ policy }) as Parameters<typeof registeredPolicy>[0]
const granted = (given: object, confirmation: object[] = []) =>
  ({ ceilings: given, confirmation }) as Parameters<typeof effectivePolicy>[1]

test.each([
  ['0', '0', 0],
  ['1', '1.00', 0],
  ['9', '10', -1],
  ['10.5', '10.49', 1],
  ['0.1', '0.09', 1],
  ['99999999999999999999.1', '99999999999999999999.2', -1],
])('%s compared with %s is %i', (one, other, order) => {
  expect(compareDecimals(one, other)).toBe(order)
  expect(compareDecimals(other, one)).toBe(order === 0 ? 0 : -order)
})

test('actions that change authority always need a confirmation, withdrawals only if the client is registered so', () => {
  expect(registeredPolicy({})).toEqual({ ceilings: ceilings(null), confirmation: always })
  const above = registered({ withdrawal_confirmation_above: euro('5') })
  expect(registeredPolicy(above).confirmation).toEqual([...always, { action: 'transfer', above: euro('5') }])
})

test('a policy with fewer confirmations requires as many as are registered', () => {
  const above = registered({ withdrawal_confirmation_above: euro('5') })
  const transfer = (amount: object | null) => [{ action: 'transfer', above: amount }]
  expect(effectivePolicy(above, granted(ceilings(null))).confirmation).toEqual([...always, ...transfer(euro('5'))])
  const raised = granted(ceilings(null), transfer(euro('50')))
  expect(effectivePolicy(above, raised).confirmation).toEqual([...always, ...transfer(euro('5'))])
  const lowered = granted(ceilings(null), transfer(null))
  expect(effectivePolicy(above, lowered).confirmation).toEqual([...always, ...transfer(null)])
  expect(effectivePolicy({}, granted(ceilings(null), transfer(euro('7')))).confirmation).toEqual([
    ...always,
    ...transfer(euro('7')),
  ])
})

test.each([
  ['neither says anything', null, null, null],
  ['only the registration does', euro('100'), null, euro('100')],
  ['only the grant does', null, euro('70'), euro('70')],
  ['the grant is lower', euro('100'), euro('99.99'), euro('99.99')],
  ['the grant is higher', euro('100'), euro('100.01'), euro('100')],
  ['they are in different currencies: nothing may be withdrawn', euro('100'), dollar('1'), euro('0')],
])('the ceiling where %s', (_name, registration, grant, effective) => {
  const withdrawal_ceilings = registration ? { per_payment: registration, per_day: registration } : {}
  const policy = effectivePolicy(registered({ withdrawal_ceilings }), granted(ceilings(grant, grant)))
  expect(policy.ceilings).toEqual(ceilings(effective, effective))
})
