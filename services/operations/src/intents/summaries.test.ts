/** The words themselves: they are what an owner agrees to, so they are written out here. */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { routes } from '@financial-agents/contract/routes'
import { confirmedAction } from '@financial-agents/contract/schemas/authorization'
import { expect, test } from 'vitest'
import { newId, newPrincipal, willingAreas } from '../operations.test-helper.ts'
import { readAskedRequest } from './asked-request.ts'
import type { Asking } from './asking.ts'
import { confirmedActions } from './confirmed-actions.ts'

const principal = newPrincipal()
const ids = { beneficiary: newId(), mandate: newId() }
const at = '2026-11-20T12:00:00.000Z'
let mask: Record<string, string> = { IBAN: '0154' }

const asking: Asking = {
  ...willingAreas,
  ownerClients: async () => [
    { client_id: 'client-one', name: 'Ledger', active_grants: [] },
    { client_id: 'client-two', name: 'Rent & Sons', active_grants: [] },
  ],
  findBeneficiary: async ({ owner_id, beneficiary_id }) =>
    owner_id === principal.owner_id && beneficiary_id === ids.beneficiary
      ? {
          id: beneficiary_id,
          name: 'Jane “J” Doe\u202e',
          nickname: null,
          country: 'PT',
          currency: 'EUR',
          payout_schema_id: 'sepa_pt_eur',
          is_external: true,
          purpose_code: null,
          masked_details: mask,
          state: 'active',
          operation_id: newId(),
          created_at: at,
          updated_at: at,
          upstream_reference: 'reference',
        }
      : null,
  findMandate: async ({ owner_id, client_id, mandate_id }) =>
    owner_id === principal.owner_id && client_id === principal.client_id && mandate_id === ids.mandate
      ? {
          id: mandate_id,
          beneficiary_id: ids.beneficiary,
          beneficiary_name: 'Jane Doe',
          client_id,
          authorities: [],
          state: 'active',
          currency: 'EUR',
          authorized_clients: ['client-one'],
          authorized_rules: [],
          per_payment_max: '10',
          daily_max: '20',
          weekly_max: '30',
          monthly_max: '40',
          total_cap: '50',
          payment_count: 5,
          remaining: { daily: '20', weekly: '30', monthly: '40', total: '12.5', payments: 1 },
          expires_at: '2027-01-01T10:00:00.000Z',
          operation_id: newId(),
          created_at: at,
          updated_at: at,
        }
      : null,
}

const context = { requestId: 'request-of-a-test', traceparent: '', timeoutMs: 1_000 } as HandlerContext

async function summarise(action: keyof typeof confirmedActions, path: string, sent?: Record<string, unknown>) {
  const { route, summarise: words } = confirmedActions[action]
  const { params, parsedBody: body } = readAskedRequest(route, { path, body: sent })
  const { words: kept, quoted } = await words({ params, body, principal, context }, asking)
  return quoted === undefined ? kept : `${kept} ${quoted}`
}

const mandate = {
  beneficiary_id: ids.beneficiary,
  per_payment_max: '+1.25e2',
  daily_max: '250.50',
  weekly_max: '500',
  monthly_max: '1e3',
  total_cap: '5000.',
  payment_count: 12,
  expires_at: '2027-01-01T10:00:00+01:00',
}

test('every action has the route that names it, and every route with a confirmation is an action', () => {
  const named = Object.values(routes).flatMap((row) => (row.confirmation ? [[row.confirmation.action, row]] : []))
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(Object.entries(confirmedActions).map(([name, { route }]) => [name, route])),
  )
  expect(Object.keys(confirmedActions).toSorted()).toEqual(confirmedAction.options.toSorted())
})

test('a mandate says who pays whom, every bound in plain decimals, the end and that there are no rules', async () => {
  expect(await summarise('mandate_create', '/v1/mandates', mandate)).toBe(
    'Let Ledger pay “Jane "J" Doe ” (IBAN ending in 0154, PT) without asking you again. ' +
      'At most EUR 125.00 in one payment, EUR 250.50 a day, EUR 500.00 a week, EUR 1000.00 a month, ' +
      'EUR 5000.00 and 12 payments in all, until 1 January 2027 at 09:00 UTC. It is bound to no rules.',
  )
})

test('a mandate names its clients and rules; what a client wrote cannot pass for our words', async () => {
  const words = await summarise('mandate_create', '/v1/mandates', {
    ...mandate,
    authorized_clients: ['client-two', 'client-x” and nobody else. “'],
    authorized_rules: ['rent', 'a\nb'],
    payment_count: 1,
  })
  expect(words).toContain('Let Rent & Sons and the client “client-x" and nobody else. "” pay')
  expect(words).toContain('and 1 payment in all')
  expect(words).toContain('one of the rules “rent” and “a b”.')
})

test('what is shown of the details neither turns the words after it nor breaks them', async () => {
  mask = { Reference: '1\u202e2\u2066' }
  expect(await summarise('mandate_create', '/v1/mandates', mandate)).toContain(
    '(Reference ending in 1 2 , PT) without asking you again. At most EUR 125.00 in one payment',
  )
  mask = { IBAN: '0154' }
})

test.each(['”', '„', '‟', '❞', '❠', '〞', '〟', '＂', '🙷'])('%s does not close what a client wrote', async (mark) => {
  const words = await summarise('mandate_create', '/v1/mandates', { ...mandate, authorized_rules: [`a${mark}, none.`] })
  expect(words).toContain('the rules “a", none.”.')
})

test('a revocation says which mandate, what is left of it, and what it does not undo', async () => {
  expect(await summarise('mandate_revoke', `/v1/mandates/${ids.mandate}/revoke`)).toBe(
    'End the mandate under which Ledger may pay “Jane Doe”: EUR 12.50 of EUR 50.00 and 1 payment are left of it, ' +
      'until 1 January 2027 at 10:00 UTC. Nothing more is paid under it, and it cannot be brought back. ' +
      'Payments already sent are not called back.',
  )
})

test('a withdrawal says amount, payee, purpose and memo; what was not sent is not mentioned', async () => {
  const path = '/v1/spending-account/withdrawals'
  const body = { beneficiary_id: ids.beneficiary, amount: '12.50', currency: 'EUR' }
  const plain = 'Pay EUR 12.50 from your spending account to “Jane "J" Doe ” (IBAN ending in 0154, PT), once.'
  expect(await summarise('transfer', path, body)).toBe(plain)
  expect(await summarise('transfer', path, { ...body, purpose_code: 'SALA', memo: 'May\u0000' })).toBe(
    `${plain} Purpose: “SALA”. Memo: “May ”.`,
  )
})

test.each([
  ['mandate_create', '/v1/mandates', { ...mandate, beneficiary_id: newId() }, 'request.body.beneficiary_id'],
  ['mandate_revoke', `/v1/mandates/${newId()}/revoke`, undefined, 'request.path'],
  ['mandate_revoke', '/v1/mandates/abc/revoke', undefined, 'request.path'],
  [
    'transfer',
    '/v1/spending-account/withdrawals',
    { beneficiary_id: newId(), amount: '1', currency: 'EUR' },
    'request.body.beneficiary_id',
  ],
] as const)(
  '%s that names what its client does not see is refused with its path',
  async (action, path, body, field) => {
    await expect(summarise(action, path, body)).rejects.toMatchObject({
      code: 'validation_failed',
      data: { fields: [{ path: field }] },
    })
  },
)
