/**
 * One example for every request body and every response, by schema name. Together they tell one story: an agent of one
 * owner pays a rent, holds a card and follows its operations.
 */

const ids = {
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

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const written = { created_at: '2026-11-20T09:15:02.104Z', updated_at: '2026-11-20T09:15:03.377Z' }
const page = (item: unknown) => ({ items: [item], next_cursor: null })
const clientId = 'rent-agent'

const operation = {
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

const unexplained = { reason: null, evidence: null }

const unsettled = {
  ...operation,
  kind: 'mandate_transfer',
  state: 'indeterminate',
  submission_uncertain: true,
  failure_code: 'provider_connection_lost',
  failure_detail: 'The connection broke before the answer came.',
  resource_id: ids.mandate,
  resource_type: 'mandate',
  next_reconcile_at: '2026-11-20T10:15:04.000Z',
  subject: 'hU3xq0T9bV',
  client: { id: clientId, name: 'Rent agent' },
  review: true,
  review_reason: 'not found by 10 reads',
  age_seconds: 3_600,
}

const suspendedGrant = {
  id: ids.grant,
  subject: 'hU3xq0T9bV',
  client: { id: clientId, name: 'Rent agent', profile: 'web' },
  status: 'suspended',
  scopes: ['operations:read', 'spending:withdraw'],
  created_at: '2026-11-01T10:00:00.000Z',
  last_used_at: '2026-11-20T09:10:00.000Z',
  suspended: {
    at: '2026-11-20T09:30:00.000Z',
    by: 'jonas.brandt',
    reason: 'Its key was found in a public repository.',
  },
  operations_in_flight: 1,
}

const spendingAccount = { held: eur('1250.00'), promotional_credit: eur('10.00'), owed: eur('0.00') }

const account = {
  id: ids.account,
  name: 'Everyday',
  type: 'current',
  currency: 'EUR',
  status: 'active',
  balance: { available: eur('1834.20'), current: eur('1900.00') },
  masked_number: '••••0154',
  opened_at: '2024-03-01T00:00:00.000Z',
}

const activity = {
  id: 'kq3Wb0mXo1Vt5yZc8dRf2GhJ7lNpQsTuEaIbOxYzM4w',
  source: 'account',
  direction: 'out',
  amount: eur('850.00'),
  status: 'posted',
  description: 'Rent November',
  counterparty_name: 'Casa Azul Lda',
  occurred_at: '2026-11-01T08:00:00.000Z',
}

const cardActivity = {
  ...activity,
  source: 'card',
  amount: eur('12.40'),
  description: 'Pastelaria Central',
  counterparty_name: 'Pastelaria Central',
  card_id: ids.card,
  merchant_category: '5814',
}

const beneficiaryBody = {
  name: 'Casa Azul Lda',
  nickname: 'Landlord',
  country: 'PT',
  currency: 'EUR',
  payout_schema_id: 'sepa_pt_eur',
  details: { iban: 'PT50000201231234567890154' },
}

const beneficiary = {
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

const payoutSchema = {
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

const caps = {
  per_payment_max: '900',
  daily_max: '900',
  weekly_max: '900',
  monthly_max: '1000',
  total_cap: '12000',
  payment_count: 12,
}

const mandateBody = {
  beneficiary_id: ids.beneficiary,
  ...caps,
  expires_at: '2027-11-01T00:00:00Z',
  authorized_rules: ['monthly-rent'],
}

const mandate = {
  id: ids.mandate,
  beneficiary_id: ids.beneficiary,
  state: 'active',
  currency: 'EUR',
  authorized_clients: [clientId],
  authorized_rules: ['monthly-rent'],
  ...caps,
  remaining: { daily: '900', weekly: '900', monthly: '150', total: '11150', payments: 11 },
  expires_at: '2027-11-01T00:00:00.000Z',
  operation_id: ids.operation,
  ...written,
}

const transfer = {
  id: ids.transfer,
  operation_id: ids.operation,
  kind: 'mandate_transfer',
  state: 'succeeded',
  mandate_id: ids.mandate,
  beneficiary_id: ids.beneficiary,
  amount: eur('850'),
  reference: 'Rent November',
  rule: 'monthly-rent',
  upstream_reference: 'up_7b10c0',
  ...written,
}

const card = {
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

const identity = { subject: 'hU3xq0T9bV', display_name: 'Ana', locale: 'pt-PT', timezone: 'Europe/Lisbon' }

const subscription = {
  id: ids.subscription,
  url: 'https://agent.example/hooks/operations',
  description: 'Rent agent',
  events: ['operation.succeeded', 'operation.failed', 'operation.indeterminate'],
  status: 'active',
  created_at: written.created_at,
  disabled_at: null,
  disabled_reason: null,
}

const delivery = {
  id: ids.delivery,
  event_type: 'operation.succeeded',
  operation_id: ids.operation,
  status: 'delivered',
  attempts: 1,
  last_status_code: 204,
  next_attempt_at: null,
  created_at: written.updated_at,
}

const purchase = {
  id: ids.purchase,
  quote_id: ids.purchaseQuote,
  service_id: ids.service,
  state: 'released',
  total: eur('20.00'),
  released_at: written.created_at,
  updated_at: written.updated_at,
}

const service = {
  id: ids.service,
  name: 'Mobile top-up',
  category: 'top_up',
  capabilities: [
    {
      name: 'purchases.quote',
      available: true,
      reason_code: null,
      required_scopes: ['purchases:read'],
      granted: true,
    },
  ],
  documentation_url: null,
}

const bodies = {
  CreateBeneficiaryRequest: beneficiaryBody,
  CreateCardRequest: { type: 'virtual', currency: 'EUR', label: 'Groceries' },
  CreateConfirmationIntentRequest: { action: 'mandate_create', request: { path: '/v1/mandates', body: mandateBody } },
  CreateMandateRequest: mandateBody,
  CreateMandateTransferRequest: {
    amount: '850.00',
    currency: 'EUR',
    reference: 'Rent November',
    rule: 'monthly-rent',
  },
  CreatePurchaseQuoteRequest: { service_id: ids.service, product_id: 'topup-20', quantity: 1 },
  CreateTransferQuoteRequest: {
    source_currency: 'EUR',
    target_currency: 'USD',
    amount: '100.00',
    fixed_side: 'source',
  },
  CreateWebhookSubscriptionRequest: {
    url: subscription.url,
    description: subscription.description,
    events: subscription.events,
  },
  SuspendOperatorGrantRequest: { reason: suspendedGrant.suspended.reason },
  CreateWithdrawalRequest: { beneficiary_id: ids.beneficiary, amount: '120.00', currency: 'EUR', memo: 'Deposit' },
}

const responses = {
  Account: account,
  AccountList: page(account),
  ActivityItemList: page(activity),
  AddressCountries: { countries: [{ code: 'PT', alpha3: 'PRT', name: 'Portugal' }] },
  AssetList: page({ code: 'BTC', name: 'Bitcoin', type: 'crypto', decimals: 8 }),
  Beneficiary: beneficiary,
  BeneficiaryList: page(beneficiary),
  Card: card,
  CardActivityItemList: page(cardActivity),
  CardList: page(card),
  CardReveal: {
    id: ids.reveal,
    card_id: ids.card,
    expires_at: '2026-11-20T09:20:00.000Z',
    action_required: {
      kind: 'card_reveal',
      url: 'https://provider.example/reveal/5b1d',
      expires_at: '2026-11-20T09:20:00.000Z',
      poll_after_ms: null,
    },
  },
  CreatedWebhookSubscription: { ...subscription, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  FiatPriceList: page({ asset: 'BTC', currency: 'EUR', price: '61250.40', as_of: '2026-11-20T09:00:00.000Z' }),
  Health: {
    status: 'ok',
    time: '2026-11-20T09:15:00.000Z',
    checks: [
      { name: 'bus', status: 'ok' },
      { name: 'grant_feed', status: 'ok' },
    ],
  },
  Identity: identity,
  Kyc: { status: 'verified', reason_code: null, updated_at: '2026-10-02T14:30:00.000Z' },
  KycSession: {
    id: ids.kycSession,
    action_required: {
      kind: 'kyc_session',
      url: 'https://provider.example/verify/7c2d',
      expires_at: null,
      poll_after_ms: 5000,
    },
  },
  Mandate: mandate,
  MandateList: page(mandate),
  Onboarding: {
    customer: identity,
    connection: 'connected',
    kyc_status: 'verified',
    kyc_session_available: false,
    ready: true,
    missing: [],
  },
  OpenapiDocument: { openapi: '3.1.1' },
  Operation: operation,
  OperationList: { items: [operation] },
  OperatorGrant: suspendedGrant,
  OperatorGrantList: page(suspendedGrant),
  OperatorOperationDetail: {
    ...unsettled,
    history: [
      { sequence: 1, from: null, to: 'accepted', by: 'operations', at: written.created_at, ...unexplained },
      { sequence: 2, from: 'accepted', to: 'submitting', by: 'submitter', at: written.created_at, ...unexplained },
      {
        sequence: 3,
        from: 'submitting',
        to: 'indeterminate',
        by: 'submitter',
        at: written.updated_at,
        reason: 'The reply was lost.',
        evidence: {
          read: 'transaction_lookup',
          result: 'not_found',
          observed_at: written.updated_at,
          digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      },
    ],
    webhook_deliveries: [{ ...delivery, event_type: 'operation.indeterminate' }],
  },
  OperatorOperationList: {
    ...page(unsettled),
    counts: {
      requires_action: 0,
      accepted: 0,
      submitting: 2,
      submitted: 4,
      succeeded: 318,
      failed: 3,
      indeterminate: 1,
      cancelled: 1,
    },
  },
  PayoutSchema: payoutSchema,
  PayoutSchemaList: page(payoutSchema),
  Purchase: purchase,
  PurchaseList: page(purchase),
  PurchaseQuote: {
    id: ids.purchaseQuote,
    indicative: true,
    executable: false,
    service_id: ids.service,
    product_id: 'topup-20',
    quantity: 1,
    total: eur('20.00'),
    expires_at: '2026-11-20T09:20:00.000Z',
  },
  Service: service,
  ServiceConnection: {
    id: ids.connection,
    status: 'connected',
    provider_name: 'Fake provider',
    connected_at: '2026-09-14T16:05:00.000Z',
  },
  ServiceList: page(service),
  Session: { authenticated: false, display_name: null, csrf_token: null, expires_at: null },
  SpendingAccount: spendingAccount,
  Transfer: transfer,
  TransferList: page(transfer),
  TransferQuote: {
    id: ids.quote,
    indicative: true,
    executable: false,
    source: eur('100.00'),
    target: { amount: '108.12', currency: 'USD' },
    rate: '1.0921',
    fee: eur('1.00'),
    rail: 'swift',
    estimated_arrival: '2026-11-22T17:00:00.000Z',
    expires_at: '2026-11-20T09:20:00.000Z',
  },
  VirtualAccountEconomics: {
    items: [
      {
        currency: 'EUR',
        monthly_fee: eur('2.00'),
        inbound_fee_fixed: '0.10',
        inbound_fee_basis_points: '5',
        settlement_days: 1,
      },
    ],
  },
  WebhookDeliveryList: page(delivery),
  WebhookPayload: {
    type: 'operation.succeeded',
    timestamp: written.updated_at,
    data: {
      operation_id: ids.operation,
      kind: 'beneficiary_create',
      state: 'succeeded',
      submission_uncertain: false,
    },
  },
  WebhookSubscription: subscription,
  WebhookSubscriptionList: page(subscription),
  WithdrawalLimits: {
    currency: 'EUR',
    minimum_amount: '1.00',
    maximum_amount: '5000.00',
    fee_fixed: '0.50',
    fee_basis_points: '0',
    rail: 'sepa',
    memo: { supported: true, minimum_characters: 0, maximum_characters: 140 },
    purpose_codes: ['rent', 'salary'],
  },
}

/** The examples for an origin, by schema name. */
export function createExamples(baseUrl: string): Readonly<Record<string, unknown>> {
  return { ...bodies, ...responses, ...responsesAt(baseUrl) }
}

/** The examples that contain addresses of the origin. */
function responsesAt(baseUrl: string) {
  const capabilities = capabilitiesAt(baseUrl)
  return {
    Authorization: {
      grant: {
        id: ids.grant,
        status: 'active',
        created_at: '2026-11-01T10:00:00.000Z',
        expires_at: '2027-01-30T10:00:00.000Z',
        scopes: ['authorization:read', 'beneficiaries:read', 'operations:read', 'spending:withdraw'],
      },
      client: { id: clientId, name: 'Rent agent', profile: 'web' },
      policy: {
        ceilings: { per_payment: eur('500.00'), per_day: null },
        confirmation: [{ action: 'transfer', above: eur('100.00') }],
      },
      capabilities,
    },
    ConfirmationIntent: {
      id: ids.intent,
      action: 'mandate_create',
      status: 'pending',
      summary:
        'Let the payments below be made without asking you again.\nPayee: “Casa Azul Lda”\nPaid by: This application\nEach payment: At most EUR 900.00\nIn all: At most EUR 12000.00, in at most 12 payments',
      facts: [
        { label: 'Payee', value: 'Casa Azul Lda', foreign: true },
        { label: 'Paid by', value: 'This application', foreign: false },
        { label: 'Each payment', value: 'At most EUR 900.00', foreign: false },
        { label: 'In all', value: 'At most EUR 12000.00, in at most 12 payments', foreign: false },
      ],
      confirmation_url: `${baseUrl}/confirm/${ids.intent}`,
      expires_at: '2026-11-20T09:25:02.104Z',
      poll_after_ms: 2000,
    },
    Metadata: {
      name: 'Financial Agents API',
      version: '1.0.0',
      environment: 'production',
      issuer: baseUrl,
      resource: baseUrl,
      documentation_url: `${baseUrl}/docs`,
      openapi_url: `${baseUrl}/v1/openapi.json`,
    },
    PublicConfig: { capabilities },
  }
}

function capabilitiesAt(baseUrl: string) {
  const known = { documentation_url: `${baseUrl}/docs` }
  const available = { available: true, ...known, reason_code: null }
  const absent = { available: false, ...known, reason_code: 'not_in_this_release' }
  return {
    cards: { reveal: { available: false, ...known, reason_code: 'not_enabled' } },
    provider_events: { inbound: absent },
    purchases: { exact_execute: absent, query_execute: absent },
    transfers: { execute: available },
  }
}
