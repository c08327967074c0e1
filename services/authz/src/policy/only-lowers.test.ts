import { expect, test } from 'vitest'
import { onlyLowers } from './only-lowers.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const usd = (amount: string) => ({ amount, currency: 'USD' })

test.each([
  ['nothing changes', eur('10'), eur('10.00'), true],
  ['it is lower', eur('10'), eur('9.99'), true],
  ['there was none and is none', null, null, true],
  ['it is higher', eur('10'), eur('10.01'), false],
  ['it is removed', eur('10'), null, false],
  ['it is added', null, eur('1'), false],
  ['it is in another currency', eur('10'), usd('1'), false],
])('where %s', (_name, before, after, lowers) => {
  const none = { per_payment: null, per_day: null }
  expect(onlyLowers({ ...none, per_payment: before }, { ...none, per_payment: after })).toBe(lowers)
  expect(onlyLowers({ ...none, per_day: before }, { ...none, per_day: after })).toBe(lowers)
})

test('a raised ceiling is not compensated by a lowered one', () => {
  const before = { per_payment: eur('10'), per_day: eur('20') }
  expect(onlyLowers(before, { per_payment: eur('1'), per_day: eur('21') })).toBe(false)
})
