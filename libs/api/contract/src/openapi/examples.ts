/**
 * One example for every request body and every response, by schema name. Together they tell one story: an agent of one
 * owner pays a rent, holds a card and follows its operations.
 */

import { operatorResponses, suspendedGrant } from './operator-examples.ts'
import {
  account,
  activity,
  beneficiary,
  beneficiaryBody,
  card,
  cardActivity,
  clientId,
  delivery,
  eur,
  identity,
  ids,
  mandate,
  mandateBody,
  operation,
  page,
  payoutSchema,
  purchase,
  service,
  spendingAccount,
  subscription,
  transfer,
  written,
} from './story.ts'

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
  ...operatorResponses,
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
  RotatedWebhookSubscription: {
    ...subscription,
    secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    previous_secret_until: '2026-11-24T08:00:00.000Z',
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
        'Let the payments below be made without asking you again.\nPayee: “Casa Azul Lda”\nPaid by: This application\nEach payment: At most EUR 900.00\nIn all: At most EUR 12,000.00, in at most 12 payments',
      facts: [
        { label: 'Payee', value: 'Casa Azul Lda', foreign: true },
        { label: 'Paid by', value: 'This application', foreign: false },
        { label: 'Each payment', value: 'At most EUR 900.00', foreign: false },
        { label: 'In all', value: 'At most EUR 12,000.00, in at most 12 payments', foreign: false },
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
