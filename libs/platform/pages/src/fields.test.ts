import { expect, test } from 'vitest'
import { filterForm, selectField, textArea } from './fields.ts'

test('a choice keeps the chosen option, and the first option is no choice', () => {
  const field = { name: 'state', label: 'State', none: 'Any', options: [['a', 'A'] as const] }
  expect(selectField({ ...field, value: 'a' }).toString()).toContain('<option value="a" selected>A</option>')
  expect(selectField(field).toString()).toContain('<option value="" selected>Any</option>')
})

test('a refused text stays, and its reason is read out with it', () => {
  const text = textArea({
    name: 'reason',
    label: 'Reason',
    hint: 'Why',
    value: '\n<x>',
    error: 'Say more.',
    minLength: 3,
    maxLength: 9,
  })
  // HTML ignores the first line feed after the tag; it is not part of the text.
  expect(text.toString()).toMatch(
    /aria-describedby="reason-hint reason-error" aria-invalid="true">\n\n&lt;x&gt;<\/textarea>/,
  )
})

test('filters are part of the address, and can be cleared if there are any', () => {
  const form = (clear: boolean) => filterForm({ action: '/list', fields: [], clear }).toString()
  expect(form(true)).toContain('<form method="get" action="/list"')
  expect(form(true)).toContain('href="/list"')
  expect(form(false)).not.toContain('href')
})
