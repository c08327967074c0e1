/** A good request for every row of the route table. A row without a fixture does not compile. */

import type { RouteName } from '@financial-agents/contract/routes'
import { type World, webhookUrl } from './world.ts'

export type Fixture = {
  /** Path and query of a request that succeeds. */
  target: (world: World) => string
  body?: (world: World) => Record<string, unknown>
  /** A target for refused requests, whose resource is unchanged after `target` has been used. */
  untouched?: (world: World) => string
  /** This request takes away what the others need, so it comes last. */
  ends?: true
  /** A target of the same form that names no resource, and the code of its refusal. */
  foreign?: { target: string; code: string }
  /** The caller for whom the request succeeds: an owner whom the provider has not verified, or an operator. */
  by?: 'unverified' | 'operator'
  /** The clients that can see the resource: the one that created it, or all. If absent: every client of its owner. */
  seenBy?: 'client' | 'everybody'
}

const nobody = '01980000-0000-7000-8000-00000000dead'

export const fixtures: Record<RouteName, Fixture> = {
  getHealth: { target: () => '/v1/health' },
  getMetadata: { target: () => '/v1/metadata' },
  getPublicConfig: { target: () => '/v1/public-config' },
  getOpenapi: { target: () => '/v1/openapi.json' },
  listAssets: { target: () => '/v1/reference-data/assets?limit=3' },
  listFiatPrices: { target: () => '/v1/reference-data/fiat-prices?assets=BTC,USD&currency=EUR' },
  getAuthorization: { target: () => '/v1/authorization' },
  createConfirmationIntent: {
    target: () => '/v1/confirmation-intents',
    body: () => ({ action: 'service_disconnect', request: { path: '/v1/service-connections/current' } }),
  },
  getConfirmationIntent: {
    target: ({ intentId }) => `/v1/confirmation-intents/${intentId}`,
    seenBy: 'client',
    foreign: { target: `/v1/confirmation-intents/${nobody}`, code: 'confirmation_intent_not_found' },
  },
  getIdentity: { target: () => '/v1/identity' },
  getSession: { target: () => '/v1/session' },
  listOperations: { target: () => '/v1/operations?state=succeeded&kind=beneficiary_create&limit=5' },
  getOperation: {
    target: ({ operationId }) => `/v1/operations/${operationId}`,
    seenBy: 'client',
    foreign: { target: `/v1/operations/${nobody}`, code: 'operation_not_found' },
  },
  pollOperationApproval: {
    target: ({ operationId }) => `/v1/operations/${operationId}/approval/poll`,
    seenBy: 'client',
    foreign: { target: `/v1/operations/${nobody}/approval/poll`, code: 'operation_not_found' },
  },
  listTransfers: { target: ({ mandateId }) => `/v1/transfers?mandate_id=${mandateId}&state=succeeded&limit=2` },
  getTransfer: {
    target: ({ transferId }) => `/v1/transfers/${transferId}`,
    seenBy: 'client',
    foreign: { target: `/v1/transfers/${nobody}`, code: 'transfer_not_found' },
  },
  createBeneficiary: {
    target: () => '/v1/beneficiaries',
    body: () => ({
      name: 'Contract',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      details: { iban: 'PT50000201231234567890154' },
    }),
  },
  listBeneficiaries: { target: () => '/v1/beneficiaries?limit=2' },
  getBeneficiary: {
    target: ({ beneficiaryId }) => `/v1/beneficiaries/${beneficiaryId}`,
    foreign: { target: `/v1/beneficiaries/${nobody}`, code: 'beneficiary_not_found' },
  },
  listPayoutSchemas: { target: () => '/v1/beneficiaries/payout-schemas?country=PT' },
  getPayoutSchema: {
    target: () => '/v1/beneficiaries/payout-schemas/sepa_pt_eur',
    seenBy: 'everybody',
    foreign: { target: '/v1/beneficiaries/payout-schemas/none', code: 'payout_schema_not_found' },
  },
  listAddressCountries: { target: () => '/v1/beneficiaries/address-countries' },
  getVirtualAccountEconomics: { target: () => '/v1/beneficiaries/virtual-account-economics' },
  createMandate: {
    target: () => '/v1/mandates',
    body: ({ beneficiaryId }) => ({
      beneficiary_id: beneficiaryId,
      per_payment_max: '10',
      daily_max: '20',
      weekly_max: '30',
      monthly_max: '40',
      total_cap: '50',
      payment_count: 5,
      expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    }),
  },
  listMandates: { target: () => '/v1/mandates?limit=2' },
  getMandate: {
    target: ({ mandateId }) => `/v1/mandates/${mandateId}`,
    seenBy: 'client',
    foreign: { target: `/v1/mandates/${nobody}`, code: 'mandate_not_found' },
  },
  suspendMandate: {
    target: ({ mandateToSuspend }) => `/v1/mandates/${mandateToSuspend}/suspend`,
    seenBy: 'client',
    foreign: { target: `/v1/mandates/${nobody}/suspend`, code: 'mandate_not_found' },
  },
  revokeMandate: {
    target: ({ mandateToRevoke }) => `/v1/mandates/${mandateToRevoke}/revoke`,
    untouched: ({ mandateId }) => `/v1/mandates/${mandateId}/revoke`,
    seenBy: 'client',
    foreign: { target: `/v1/mandates/${nobody}/revoke`, code: 'mandate_not_found' },
  },
  createMandateTransfer: {
    target: ({ mandateId }) => `/v1/mandates/${mandateId}/transfers`,
    body: () => ({ amount: '1.00', currency: 'EUR' }),
    seenBy: 'client',
    foreign: { target: `/v1/mandates/${nobody}/transfers`, code: 'mandate_not_found' },
  },
  createCard: { target: () => '/v1/cards', body: () => ({ type: 'virtual', currency: 'EUR' }) },
  listCards: { target: () => '/v1/cards?limit=2' },
  getCard: {
    target: ({ cardId }) => `/v1/cards/${cardId}`,
    foreign: { target: `/v1/cards/${nobody}`, code: 'card_not_found' },
  },
  listCardActivity: {
    target: ({ cardId }) => `/v1/cards/${cardId}/activity?limit=5`,
    foreign: { target: `/v1/cards/${nobody}/activity`, code: 'card_not_found' },
  },
  freezeCard: {
    target: ({ cardToFreeze }) => `/v1/cards/${cardToFreeze}/freeze`,
    foreign: { target: `/v1/cards/${nobody}/freeze`, code: 'card_not_found' },
  },
  unfreezeCard: {
    target: ({ frozenCard }) => `/v1/cards/${frozenCard}/unfreeze`,
    foreign: { target: `/v1/cards/${nobody}/unfreeze`, code: 'card_not_found' },
  },
  closeCard: {
    target: ({ cardToClose }) => `/v1/cards/${cardToClose}/close`,
    foreign: { target: `/v1/cards/${nobody}/close`, code: 'card_not_found' },
  },
  createCardReveal: {
    target: ({ cardId }) => `/v1/cards/${cardId}/reveals`,
    foreign: { target: `/v1/cards/${nobody}/reveals`, code: 'card_not_found' },
  },
  listAccounts: { target: () => '/v1/accounts?limit=2' },
  getAccount: {
    target: ({ accountId }) => `/v1/accounts/${accountId}`,
    foreign: { target: `/v1/accounts/${nobody}`, code: 'account_not_found' },
  },
  getWithdrawalLimits: { target: () => '/v1/accounts/withdrawal-limits?schema=sepa_pt_eur&currency=EUR' },
  listActivity: { target: () => '/v1/activity?source=account&limit=5' },
  getSpendingAccount: { target: () => '/v1/spending-account' },
  createWithdrawal: {
    target: () => '/v1/spending-account/withdrawals',
    body: ({ beneficiaryId }) => ({ beneficiary_id: beneficiaryId, amount: '1.00', currency: 'EUR' }),
  },
  createTransferQuote: {
    target: () => '/v1/quotes',
    body: ({ beneficiaryId }) => ({
      source_currency: 'EUR',
      target_currency: 'EUR',
      amount: '100.00',
      fixed_side: 'source',
      beneficiary_id: beneficiaryId,
    }),
  },
  createPurchaseQuote: {
    target: () => '/v1/purchases/quotes',
    body: ({ serviceId, productId }) => ({ service_id: serviceId, product_id: productId, quantity: 1 }),
  },
  getPurchaseQuote: {
    target: ({ purchaseQuoteId }) => `/v1/purchases/quotes/${purchaseQuoteId}`,
    seenBy: 'client',
    foreign: { target: `/v1/purchases/quotes/${nobody}`, code: 'purchase_quote_not_found' },
  },
  listPurchases: { target: () => '/v1/purchases?limit=2' },
  getPurchase: {
    target: ({ purchaseId }) => `/v1/purchases/${purchaseId}`,
    foreign: { target: `/v1/purchases/${nobody}`, code: 'purchase_not_found' },
  },
  listServices: { target: () => '/v1/services?limit=5' },
  getService: {
    target: ({ serviceId }) => `/v1/services/${serviceId}`,
    seenBy: 'everybody',
    foreign: { target: `/v1/services/${nobody}`, code: 'service_not_found' },
  },
  createWebhookSubscription: {
    target: () => '/v1/webhook-subscriptions',
    body: () => ({ url: webhookUrl, events: ['operation.succeeded'] }),
  },
  listWebhookSubscriptions: { target: () => '/v1/webhook-subscriptions?limit=2' },
  getWebhookSubscription: {
    target: ({ subscriptionId }) => `/v1/webhook-subscriptions/${subscriptionId}`,
    seenBy: 'client',
    foreign: { target: `/v1/webhook-subscriptions/${nobody}`, code: 'webhook_subscription_not_found' },
  },
  rotateWebhookSecret: {
    target: ({ subscriptionId }) => `/v1/webhook-subscriptions/${subscriptionId}/rotate-secret`,
    seenBy: 'client',
    foreign: {
      target: `/v1/webhook-subscriptions/${nobody}/rotate-secret`,
      code: 'webhook_subscription_not_found',
    },
  },
  listWebhookDeliveries: {
    target: ({ subscriptionId }) => `/v1/webhook-subscriptions/${subscriptionId}/deliveries`,
    seenBy: 'client',
    foreign: { target: `/v1/webhook-subscriptions/${nobody}/deliveries`, code: 'webhook_subscription_not_found' },
  },
  deleteWebhookSubscription: {
    target: ({ subscriptionToDelete }) => `/v1/webhook-subscriptions/${subscriptionToDelete}`,
    seenBy: 'client',
    foreign: { target: `/v1/webhook-subscriptions/${nobody}`, code: 'webhook_subscription_not_found' },
  },
  listOperatorOperations: {
    target: () => '/v1/ops/operations?state=succeeded&kind=beneficiary_create&review=false&min_age_seconds=0&limit=5',
    by: 'operator',
  },
  getOperatorOperation: {
    target: ({ operationId }) => `/v1/ops/operations/${operationId}`,
    by: 'operator',
    seenBy: 'everybody',
    foreign: { target: `/v1/ops/operations/${nobody}`, code: 'operation_not_found' },
  },
  listOperatorGrants: { target: () => '/v1/ops/grants?client_id=ines-agent&status=active&limit=2', by: 'operator' },
  suspendOperatorGrant: {
    target: ({ grantToSuspend }) => `/v1/ops/grants/${grantToSuspend}/suspend`,
    body: () => ({ reason: 'Its key was found in a public repository.' }),
    by: 'operator',
    seenBy: 'everybody',
    foreign: { target: `/v1/ops/grants/${nobody}/suspend`, code: 'grant_not_found' },
  },
  getKyc: { target: () => '/v1/kyc' },
  createKycSession: { target: () => '/v1/kyc/sessions', by: 'unverified' },
  getOnboarding: { target: () => '/v1/onboarding' },
  getServiceConnection: { target: () => '/v1/service-connections/current' },
  disconnectService: { target: () => '/v1/service-connections/current', ends: true },
}
