import type { ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import { expect, test } from 'vitest'
import { hideName, initialsOf, isMerchant } from './masked-name.ts'

test.each([
  ['Rui Prado', 'R. P.'],
  ['ana luz', 'A. L.'],
  ['O’Brien, Seán', 'O. S.'],
  ['Müller-Lüdenscheidt', 'M. L.'],
  ['élodie', 'É.'],
  ['李小龙', '李.'],
  ['One Two Three Four Five Six', 'O. T. T. F. F.'],
  ['rui.prado@example.com', null],
  ['Rui \u202eodarP 4111 1111 1111 1111', 'R. O.'],
  ['1234', null],
  ['', null],
])('%j is shown as %j', (name, shown) => {
  expect(initialsOf(name)).toBe(shown)
})

test.each([
  ['Rui Prado', 'Jantar com Rui Prado, obrigado Rui', 'Jantar com R. P., obrigado R.'],
  ['José da Silva', 'TRF JOSE DA SILVA', 'TRF J. DA S.'],
  ['Jose Silva', 'De José Silva', 'De J. S.'],
  ['Rui Prado', 'ruiprado@ RUIPRADO', 'R.@ R.'],
  ['Luz', 'Ana Luza', 'Ana Luza'],
])('the name %j is taken out of %j', (name, text, shown) => {
  expect(hideName(name)(text)).toBe(shown)
})

const item: ProviderActivityItem = {
  reference: 'r',
  source: 'card',
  direction: 'out',
  amount: { amount: '1.00', currency: 'EUR' },
  status: 'posted',
  description: '',
  counterparty_name: 'x',
  merchant_category: '5411',
  card_reference: null,
  occurred_at: '2026-01-01T00:00:00Z',
}

test('a merchant is whom a card paid, in a category of trade', () => {
  expect(isMerchant(item)).toBe(true)
  for (const merchant_category of [null, '', '541', '4829', '6012', '6513', '6538', '8011', '8111'])
    expect(isMerchant({ ...item, merchant_category })).toBe(false)
  expect(isMerchant({ ...item, source: 'account' })).toBe(false)
})
