import type { OwnerFact, OwnerIntent } from '@financial-agents/bus/messages/intents'
import { choiceOfHeader, languages } from '@financial-agents/pages/language'
import { createReader } from '@financial-agents/pages/reader'
import { describe, expect, test } from 'vitest'
import { confirmView } from './confirm.ts'
import { openingOf, rowsOf } from './confirmed-words.ts'
import { renderView } from './view.ts'

const reader = (tag: string) => createReader(choiceOfHeader(tag, languages), 'Europe/Berlin')
const german = reader('de')

const cap: OwnerFact = {
  label: 'In all',
  value: 'At most EUR 5,000.00, in at most 12 payments',
  foreign: false,
  data: { type: 'at_most_in', amount: '5000', currency: 'EUR', payments: 12 },
}
const intent: OwnerIntent = {
  intent_id: 'intent-1',
  client_id: 'client-1',
  grant_id: '01990000-0000-7000-8000-0000000000c1',
  action: 'mandate_create',
  status: 'pending',
  opening: 'Let the payments below be made without asking you again.',
  facts: [cap],
  created_at: '2026-11-20T09:15:02.104Z',
  expires_at: '2026-11-20T09:25:02.104Z',
  operation_id: null,
  decided_at: null,
}
const rowOf = (fact: OwnerFact, to = german) =>
  rowsOf({ ...intent, facts: [fact] }, to)
    .flat()
    .join(' ')

describe('what an owner confirms', () => {
  test('is said in the owner’s language, with amounts as the owner writes them', () => {
    expect(String(openingOf(intent, german))).toBe(
      'Die folgenden Zahlungen dürfen ausgeführt werden, ohne Sie erneut zu fragen.',
    )
    expect(rowOf(cap)).toContain('Insgesamt')
    expect(rowOf(cap)).toContain('Höchstens 5.000,00 EUR, in höchstens 12 Zahlungen')
    expect(rowOf(cap, reader('pt'))).toContain('No máximo 5000,00 EUR, em no máximo 12 pagamentos')
    expect(rowOf(cap, reader('en'))).toContain(cap.value)
  })

  test('stands as it is bound, marked as English, wherever the translation is not of exactly that text', () => {
    const bound = { ...intent, opening: 'Let other payments be made.' }
    expect(String(openingOf(bound, german))).toBe('<span lang="en" dir="ltr">Let other payments be made.</span>')
    const { data: _data, ...withoutData } = cap
    const raised = { ...cap, value: 'At most EUR 6,000.00, in at most 12 payments' }
    for (const fact of [withoutData, raised])
      expect(rowOf(fact)).toContain(`<span lang="en" dir="ltr">${fact.value}</span>`)
    expect(rowOf({ ...cap, label: 'A new label' })).toContain('<span lang="en" dir="ltr">A new label</span>')
  })

  test('keeps its order from right to left: an account and an amount stand in the direction of the page', () => {
    const account: OwnerFact = {
      label: 'Account of the payee',
      value: 'IBAN ending in 0154, PT',
      foreign: false,
      data: { type: 'account', details: [['IBAN', '0154']], country: 'PT' },
    }
    expect(rowOf(account, reader('ar'))).toContain(
      '<bdi dir="rtl"><bdi dir="ltr">IBAN</bdi> ينتهي بـ <bdi dir="ltr">0154</bdi>، <bdi dir="ltr">PT</bdi></bdi>',
    )
    expect(rowOf(cap, reader('ar'))).toMatch(/<bdi dir="rtl">.*كحد أقصى/)
    expect(rowOf(account)).toContain('<bdi dir="ltr"><bdi dir="ltr">IBAN</bdi> mit den Endziffern ')
  })

  test('of somebody else’s text is never translated', () => {
    expect(rowOf({ label: 'Memo', value: 'None', foreign: true })).toContain('<bdi class="name">None</bdi>')
  })

  test('stands beside the translation in the bound words', () => {
    const data = { clientName: 'Tally', logo: undefined, intent, action: '/confirm/1', hidden: {} }
    const page = renderView(confirmView({ ...data, reader: german }), { environment: 'local' }).body
    expect(page).toContain(intent.opening)
    expect(page).toContain(cap.value)
    expect(renderView(confirmView({ ...data, reader: reader('en') }), { environment: 'local' }).body).not.toContain(
      '<details>',
    )
  })
})
