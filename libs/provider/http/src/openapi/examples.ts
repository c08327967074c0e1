/** An example of every body and answer, by the name of its schema; `Name.variant` where there are several. Invented data. */

import { allReads, askingReads } from '@financial-agents/provider-port/reads'
import { providerCalls } from '../api/calls.ts'
import { nameOf } from './named-schemas.ts'

const at = '2026-03-14T09:26:53.000Z'
const later = '2026-03-14T09:36:53.000Z'
const client_reference = '0195a1c2-7d4e-7b1a-9c3f-1f2e3d4c5b6a'
const payment = (amount: string) => ({ amount, currency: 'EUR' })

const record = { reference: 'ben_0001', client_reference, status: 'succeeded', settled_at: at, failure_code: null }

const mandateTerms = {
  beneficiary_reference: 'ben_0001',
  per_payment_max: '50',
  daily_max: '100',
  weekly_max: '200',
  monthly_max: '300',
  total_cap: '400',
  payment_count: 10,
  expires_at: '2026-12-31T23:59:59Z',
}

const transferTerms = { beneficiary_reference: 'ben_0001', ...payment('20.00'), memo: 'With thanks' }

const page = (path: string, reference: string) => ({
  reference,
  client_reference,
  hosted_url: `https://provider.example/pages/${path}`,
  expires_at: later,
})

const others: Readonly<Record<string, unknown>> = {
  'ActionSearchAnswer.frozen': {
    data: [{ reference: 'crd_0001', state: 'frozen', actions: [{ ...record, reference: 'act_0001' }] }],
    has_more: false,
    as_of: at,
  },
  'ActionSearchAnswer.nothing': { data: [], has_more: false, as_of: at },
  'ApprovalResult.pending': { data: { status: 'pending', reference: 'apv_0001' } },
  'ApprovalResult.failed': { data: { status: 'failed', reference: 'apv_0001', failure_code: 'account_closed' } },
  'ApprovalStarted.needed': {
    data: { status: 'pending', ...page('approve/8f2c', 'apv_0001'), poll_after_ms: 2_000 },
  },
  'ApprovalStarted.not_needed': { data: { status: 'not_needed', client_reference } },
  CardReveal: { data: { ...page('card/77aa', 'rvl_0001'), card_reference: 'crd_0001' } },
  'DeviceAuthenticationResult.pending': { data: { status: 'pending' } },
  'DeviceAuthenticationResult.approved': {
    data: {
      status: 'approved',
      credentials: 'example-connection-of-rui',
      customer: { reference: 'per_1', display_name: 'Rui Prado', locale: 'pt-PT', timezone: 'Europe/Lisbon' },
    },
  },
  DeviceAuthenticationStarted: { data: page('sign-in/51bd', 'dva_0001') },
  IdentityCheck: { data: page('identity/90ef', 'idc_0001') },
  MandateTerms: mandateTerms,
  'MutationAnswer.executed': { data: record },
  'MutationAnswer.pending': { data: { ...record, status: 'pending', settled_at: null } },
  NewAction: { client_reference, valid_until: later },
  NewApproval: {
    client_reference,
    return_url: 'https://api.example/return/5c1d',
    instruction: { kind: 'transfer', terms: transferTerms },
  },
  NewBeneficiary: {
    client_reference,
    valid_until: later,
    name: 'Rui Prado',
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa_pt_eur',
    details: { iban: 'PT50000201231234567890154' },
    is_external: true,
  },
  NewCard: { client_reference, valid_until: later, label: 'Groceries', type: 'virtual', currency: 'EUR' },
  NewCardReveal: { client_reference, card_reference: 'crd_0001' },
  NewDeviceAuthentication: { client_reference, return_url: 'https://api.example/return/5c1d' },
  NewIdentityCheck: { client_reference, return_url: null },
  NewMandate: { client_reference, valid_until: later, ...mandateTerms },
  NewMandateTransfer: { client_reference, ...payment('12.50'), reference: 'October rent' },
  NewSandboxConnection: { approves: false },
  NewSandboxDecision: { hosted_url: 'https://provider.example/pages/approve/8f2c', decision: 'approve' },
  NewSandboxFault: { client_reference, fault: 'settle_later' },
  NewSandboxSettlement: { client_reference, as: 'succeeded' },
  NewTransfer: { client_reference, valid_until: later, ...transferTerms },
  ProviderRecord: record,
  Refusal: { error: { code: 'invalid_request' } },
  Sandbox: {
    faults: ['refuse', 'reject', 'settle_later', 'two_records', 'reopened', 'expire_approval'],
    payout_schema_id: 'sepa_pt_eur',
    payment: payment('12.50'),
    approved_payment: payment('0.05'),
    card: { type: 'virtual', currency: 'EUR' },
    reads: Object.fromEntries(
      allReads.flatMap(([name, { examples }]) => (name in askingReads ? [[name, examples.asks]] : [])),
    ),
    reader: { credentials: 'example-connection-of-rui', card_reference: 'crd_0001' },
    other_reader: { credentials: 'example-connection-of-marta' },
  },
  SandboxConnection: { credentials: 'example-connection-2' },
  SandboxDone: {},
  'SearchAnswer.found': { data: [record], has_more: false, as_of: at },
  'SearchAnswer.nothing': { data: [], has_more: false, as_of: at },
  TransferTerms: transferTerms,
}

const ofReads = allReads.flatMap(([name, { examples }]) => {
  const { body, answer } = providerCalls[name]
  return [
    ...Object.entries(examples.answers).map(([variant, data]) => [`${nameOf(answer)}.${variant}`, { data }] as const),
    ...(body === undefined ? [] : [[nameOf(body), examples.asks] as const]),
  ]
})

export const examples: Readonly<Record<string, unknown>> = { ...others, ...Object.fromEntries(ofReads) }
