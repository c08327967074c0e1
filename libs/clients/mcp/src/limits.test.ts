import { expect, test } from 'vitest'
import { type Limits, maxPerPaymentOf, refusedHere } from './limits.ts'
import { withheldBy } from './tool.ts'
import { tools } from './tools/all.ts'

const none: Limits = { readOnly: false, maxPerPayment: {}, tools: undefined }
const offered = (limits: Limits) =>
  tools.filter((tool) => withheldBy(limits, tool) === undefined).map(({ name }) => name)

test('read-only keeps every tool back that drafts or writes', () => {
  const kept = new Set(offered({ ...none, readOnly: true }))
  expect(tools.map(({ name }) => name).filter((name) => !kept.has(name))).toEqual([
    'prepare_payment',
    'submit_payment',
    'propose_mandate',
    'stop_mandate',
    'freeze_card',
  ])
  expect(offered({ ...none, tools: ['list_cards'] })).toEqual(['list_cards'])
})

test('the most of one payment refuses more, and every other currency', () => {
  const limits = { ...none, maxPerPayment: maxPerPaymentOf(['50.00 EUR', '40GBP']) }
  expect(refusedHere(limits, '50', 'EUR')).toBeUndefined()
  expect(refusedHere(limits, '40.01', 'GBP')).toContain('50.00 EUR, 40.00 GBP')
  expect(refusedHere(limits, '1', 'USD')).toContain('--max-per-payment')
  expect(refusedHere(none, '1000000', 'USD')).toBeUndefined()
  for (const wrong of ['50', 'EUR', '1e3 EUR', '-1 EUR', '50 eur'])
    expect(() => maxPerPaymentOf([wrong])).toThrow('"50.00 EUR"')
})
