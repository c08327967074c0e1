import { expect, test } from 'vitest'
import { json, scriptedApi } from './scripted-api.test-helper.ts'

test('null for an optional argument is as if it were left out; for a required or an unknown one it is wrong', async () => {
  const api = await scriptedApi()
  api.replies({ 'GET /v1/operations': json(200, { items: [] }) })
  expect(await api.call('list_operations', { state: null, kind: null, limit: null })).toMatchObject({ status: 'ok' })
  for (const args of [{ operation_id: null }, { operation_id: null, other: null }])
    expect(await api.call('get_operation', args)).toMatchObject({ status: 'invalid_arguments' })
  expect(await api.call('list_operations', { other: null })).toMatchObject({ status: 'invalid_arguments' })
})

test('a wrong argument is named, with what to send, and without what was sent', async () => {
  const api = await scriptedApi()
  const wrong = { beneficiary_id: 'SECRET', amount: '12,50', currency: 'eur', cents: 1 }
  expect(await api.call('prepare_payment', wrong)).toMatchObject({
    status: 'invalid_arguments',
    problem: {
      detail: 'It takes: beneficiary_id?, mandate_id?, amount, currency, reference?, rule?.',
      fields: [
        { path: 'beneficiary_id', message: 'Not valid. The payee: `id` of list_payees.' },
        { path: 'amount', message: 'Not valid. A decimal with at most the digits of its currency: "12.50".' },
        { path: 'currency', message: 'Not valid. Three capital letters: "EUR".' },
        { path: 'arguments' },
      ],
    },
  })
  const missing = await api.call('prepare_payment', { currency: 'EUR' })
  expect(missing).toMatchObject({
    problem: { fields: [{ path: 'amount', message: expect.stringMatching(/^Missing\./) }] },
  })
})

test('a proposed payee is a command for the person, whose words no shell takes apart, and adds nothing', async () => {
  const api = await scriptedApi()
  const field = { key: 'iban', label: 'IBAN', type: 'string', required: true, pattern: null, options: null }
  const schema = { id: 'sepa', name: 'SEPA', country: 'PT', currency: 'EUR', fields: [field] }
  api.replies({ 'GET /v1/beneficiaries/payout-schemas': json(200, { items: [schema], next_cursor: null }) })
  const payee = { name: "Rui'; rm -rf ~", country: 'PT', currency: 'EUR', details: { iban: 'PT50\n0002' } }
  expect(await api.call('propose_payee', payee)).toMatchObject({
    status: 'needs_owner',
    command: String.raw`financial-agents payees add --name 'Rui'\''; rm -rf ~' --country PT --currency EUR 'iban=PT50�0002'`,
  })
  expect(await api.call('propose_payee', { ...payee, details: { bic: 'X' } })).toMatchObject({
    status: 'invalid_arguments',
    problem: { detail: expect.stringContaining('sepa (iban)') },
  })
  expect(await api.call('propose_payee', { ...payee, details: { '$(id)': 'X' } })).toMatchObject({
    problem: { fields: [{ path: 'details' }] },
  })
  expect(api.keys).toEqual([])
})
