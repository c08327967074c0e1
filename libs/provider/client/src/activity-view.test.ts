import { randomBytes } from 'node:crypto'
import { Problem } from '@financial-agents/contract/problem'
import { activityItem, cardActivityItem } from '@financial-agents/contract/schemas/activity'
import type { ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import { expect, test } from 'vitest'
import { createActivityView } from './activity-view.ts'

const view = createActivityView(randomBytes(32))
const transfer: ProviderActivityItem = {
  reference: 'mov_secret_1',
  source: 'account',
  direction: 'in',
  amount: { amount: '12.50', currency: 'EUR' },
  status: 'posted',
  description: 'De RUI PRADO, rui.prado@example.com, PT50 0002 0123 1234 5678 9015 4',
  counterparty_name: 'Rui Prado',
  merchant_category: null,
  card_reference: null,
  occurred_at: '2026-03-01T10:00:00+01:00',
}
const purchase: ProviderActivityItem = {
  ...transfer,
  source: 'card',
  description: 'PASTELARIA ALFAMA',
  counterparty_name: 'Pastelaria Alfama',
  merchant_category: '5462',
  card_reference: null,
}

test('a movement is shown with nothing that names a person, an account or the provider’s record', () => {
  const shown = view.show('subject', transfer)
  expect(activityItem.parse(shown)).toEqual({
    id: shown.id,
    source: 'account',
    direction: 'in',
    amount: { amount: '12.50', currency: 'EUR' },
    status: 'posted',
    description: 'De R. P., •••• ••••',
    counterparty_name: 'R. P.',
    occurred_at: '2026-03-01T09:00:00.000Z',
  })
  expect(JSON.stringify(shown)).not.toContain('mov_')
})

test('a merchant is shown by name, on the card of ours', () => {
  const card_id = '01990000-0000-7000-8000-000000000000'
  const shown = view.showOnCard('subject', purchase, card_id)
  expect(cardActivityItem.parse(shown)).toMatchObject({
    card_id,
    merchant_category: '5462',
    description: 'PASTELARIA ALFAMA',
    counterparty_name: 'Pastelaria Alfama',
  })
  const odd = view.showOnCard('subject', { ...purchase, merchant_category: 'x' }, card_id)
  expect(odd).toMatchObject({ merchant_category: null, counterparty_name: 'P. A.' })
})

test('the same movement has one identifier for a subject, and another for every other subject and key', () => {
  const idOf = (subject: string, reference: string, shower = view) =>
    shower.show(subject, { ...transfer, reference }).id
  expect(idOf('a', 'r')).toBe(idOf('a', 'r'))
  const others = [idOf('a', 'r'), idOf('b', 'r'), idOf('ar', ''), idOf('', 'ar'), idOf('a', 's')]
  others.push(idOf('a', 'r', createActivityView(randomBytes(32))))
  expect(new Set(others).size).toBe(others.length)
})

test('a movement of no moment breaks the contract', () => {
  expect(() => view.show('subject', { ...transfer, occurred_at: 'yesterday' })).toThrow(Problem)
})
