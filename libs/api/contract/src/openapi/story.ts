/**
 * The story of the examples: an agent of one owner pays a rent, holds a card and follows its operations. Every example of
 * a customer's resource is one of these objects.
 */

export const ids = {
  operation: '01980f3e-7b10-7c02-8a31-5f2d1c9e4b07',
  beneficiary: '01980f3e-5a00-7b21-9c44-2e7f6a1d8c13',
  mandate: '01980f3e-61d4-7e55-a0b8-9d3c4f2a6e18',
  card: '01980f3e-64c8-7a90-b2f1-7c5e8d0a3b22',
  reveal: '01980f3e-91af-7d33-8e62-4a9b7c1f5d29',
  transfer: '01980f3e-7b0e-7a14-b6c5-4e8d2f9a7c33',
  intent: '01980f3e-6a2b-7c41-9d55-0a4f1f6f2c11',
  account: '01980f3e-4210-7f66-9a07-1b8d5e3c7f30',
  connection: '01980f3e-3c55-7288-b1c9-6f0e2d4a8b35',
  grant: '01980f3e-2f01-7419-8d20-3c7a9e5b1f40',
  kycSession: '01980f3e-9c11-76aa-a4d3-8e1f5b7c2d44',
  quote: '01980f3e-8b02-71bb-9f15-2d6c4e8a0b51',
  purchaseQuote: '01980f3e-8d7e-74cc-8b36-5a0f9d3e7c58',
  purchase: '01980f3e-8f10-79dd-b7e8-1c4a6f2d9e63',
  service: '01980f3e-1a90-7cee-9e47-7b3d5f0c8a67',
  subscription: '01980f3e-a210-75ff-a819-4f6b2e9d1c72',
  delivery: '01980f3e-a8c3-7011-8c5a-9e7d3b1f6a78',
} as const

export const eur = (amount: string) => ({ amount, currency: 'EUR' })
export const written = { created_at: '2026-11-20T09:15:02.104Z', updated_at: '2026-11-20T09:15:03.377Z' }
export const page = (item: unknown) => ({ items: [item], next_cursor: null })
export const clientId = 'rent-agent'

export const operation = {
  id: ids.operation,
  kind: 'beneficiary_create',
  state: 'succeeded',
  submission_uncertain: false,
  failure_code: null,
  failure_detail: null,
  ...written,
  resource_id: ids.beneficiary,
  resource_type: 'beneficiary',
  next_reconcile_at: null,
  upstream_reference: 'up_8c13f2',
}

export const spendingAccount = { held: eur('1250.00'), promotional_credit: eur('10.00'), owed: eur('0.00') }

export const account = {
  id: ids.account,
  name: 'Everyday',
  type: 'current',
  currency: 'EUR',
  status: 'active',
  balance: { available: eur('1834.20'), current: eur('1900.00') },
  masked_number: '••••0154',
  opened_at: '2024-03-01T00:00:00.000Z',
}

export const activity = {
  id: 'kq3Wb0mXo1Vt5yZc8dRf2GhJ7lNpQsTuEaIbOxYzM4w',
  source: 'account',
  direction: 'out',
  amount: eur('850.00'),
  status: 'posted',
  description: 'Rent November',
  counterparty_name: 'Casa Azul Lda',
  occurred_at: '2026-11-01T08:00:00.000Z',
}

export const cardActivity = {
  ...activity,
  source: 'card',
  amount: eur('12.40'),
  description: 'Pastelaria Central',
  counterparty_name: 'Pastelaria Central',
  card_id: ids.card,
  merchant_category: '5814',
}

export const beneficiaryBody = {
  name: 'Casa Azul Lda',
  nickname: 'Landlord',
  country: 'PT',
  currency: 'EUR',
  payout_schema_id: 'sepa_pt_eur',
  details: { iban: 'PT50000201231234567890154' },
}

export const beneficiary = {
  id: ids.beneficiary,
  name: 'Casa Azul Lda',
  nickname: 'Landlord',
  country: 'PT',
  currency: 'EUR',
  payout_schema_id: 'sepa_pt_eur',
  is_external: false,
  purpose_code: null,
  masked_details: { IBAN: '0154' },
  state: 'active',
  operation_id: ids.operation,
  ...written,
}

export const payoutSchema = {
  id: 'sepa_pt_eur',
  name: 'SEPA transfer to Portugal',
  country: 'PT',
  currency: 'EUR',
  rail: 'sepa',
  fields: [
    {
      key: 'iban',
      label: 'IBAN',
      type: 'string',
      pattern: '^PT[0-9]{23}$',
      min_length: 25,
      max_length: 25,
      options: null,
      required: true,
    },
  ],
  example_details: { iban: 'PT50000201231234567890154' },
}

export const caps = {
  per_payment_max: '900.00',
  daily_max: '900.00',
  weekly_max: '900.00',
  monthly_max: '1000.00',
  total_cap: '12000.00',
  payment_count: 12,
}

export const mandateBody = {
  beneficiary_id: ids.beneficiary,
  ...caps,
  expires_at: '2027-11-01T00:00:00Z',
  authorized_rules: ['monthly-rent'],
}

export const mandate = {
  id: ids.mandate,
  beneficiary_id: ids.beneficiary,
  state: 'active',
  currency: 'EUR',
  authorized_clients: [clientId],
  authorized_rules: ['monthly-rent'],
  ...caps,
  remaining: { daily: '900.00', weekly: '900.00', monthly: '150.00', total: '11150.00', payments: 11 },
  expires_at: '2027-11-01T00:00:00.000Z',
  operation_id: ids.operation,
  ...written,
}

export const transfer = {
  id: ids.transfer,
  operation_id: ids.operation,
  kind: 'mandate_transfer',
  state: 'succeeded',
  mandate_id: ids.mandate,
  beneficiary_id: ids.beneficiary,
  amount: eur('850.00'),
  reference: 'Rent November',
  rule: 'monthly-rent',
  upstream_reference: 'up_7b10c0',
  ...written,
}

export const card = {
  id: ids.card,
  label: 'Groceries',
  type: 'virtual',
  currency: 'EUR',
  brand: 'visa',
  last_four: '4242',
  state: 'active',
  pending_operation_id: null,
  ...written,
}

export const identity = { subject: 'hU3xq0T9bV', display_name: 'Ana', locale: 'pt-PT', timezone: 'Europe/Lisbon' }

export const subscription = {
  id: ids.subscription,
  url: 'https://agent.example/hooks/operations',
  description: 'Rent agent',
  events: ['operation.succeeded', 'operation.failed', 'operation.indeterminate'],
  status: 'active',
  created_at: written.created_at,
  disabled_at: null,
  disabled_reason: null,
}

export const delivery = {
  id: ids.delivery,
  event_type: 'operation.succeeded',
  operation_id: ids.operation,
  status: 'delivered',
  attempts: 1,
  last_status_code: 204,
  next_attempt_at: null,
  created_at: written.updated_at,
}

export const purchase = {
  id: ids.purchase,
  quote_id: ids.purchaseQuote,
  service_id: ids.service,
  state: 'released',
  total: eur('20.00'),
  released_at: written.created_at,
  updated_at: written.updated_at,
}

export const service = {
  id: ids.service,
  name: 'Mobile top-up',
  category: 'top_up',
  capabilities: [
    {
      name: 'purchases.quote',
      available: true,
      reason_code: null,
      required_scopes: ['purchases:read'],
      operations: [],
      granted: true,
    },
  ],
  documentation_url: null,
}
