/**
 * A good request for every row of the route table. It derives from the row: the path with resources of the world, and the
 * example of the body. The table of exceptions says what a row cannot know.
 */

import { exampleOf } from '@financial-agents/contract/openapi/named-schemas'
import type { Route } from '@financial-agents/contract/route'
import { type RouteName, routes } from '@financial-agents/contract/routes'
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

type Values = Readonly<Record<string, (world: World) => string>>

/** The resource of the world for each path parameter. */
const inPath: Values = {
  account_id: ({ accountId }) => accountId,
  beneficiary_id: ({ beneficiaryId }) => beneficiaryId,
  card_id: ({ cardId }) => cardId,
  grant_id: ({ grantToSuspend }) => grantToSuspend,
  intent_id: ({ intentId }) => intentId,
  mandate_id: ({ mandateId }) => mandateId,
  operation_id: ({ operationId }) => operationId,
  payout_schema_id: () => 'sepa_pt_eur',
  purchase_id: ({ purchaseId }) => purchaseId,
  quote_id: ({ purchaseQuoteId }) => purchaseQuoteId,
  service_id: ({ serviceId }) => serviceId,
  transfer_id: ({ transferId }) => transferId,
}

const ofSubscription: Values = { id: ({ subscriptionId }) => subscriptionId }

type Exception = Partial<Omit<Fixture, 'target' | 'foreign'>> & {
  /** Other resources for the path. */
  path?: Values
  query?: string | ((world: World) => string)
}

const exceptions: { readonly [Name in RouteName]?: Exception } = {
  listAssets: { query: 'limit=3' },
  listFiatPrices: { query: 'assets=BTC,USD&currency=EUR' },
  createConfirmationIntent: {
    body: () => ({ action: 'service_disconnect', request: { path: '/v1/service-connections/current' } }),
  },
  getConfirmationIntent: { seenBy: 'client' },
  listOperations: { query: 'state=succeeded&kind=beneficiary_create&limit=5' },
  getOperation: { path: { id: ({ operationId }) => operationId }, seenBy: 'client' },
  pollOperationApproval: { seenBy: 'client' },
  listTransfers: { query: ({ mandateId }) => `mandate_id=${mandateId}&state=succeeded&limit=2` },
  getTransfer: { seenBy: 'client' },
  listBeneficiaries: { query: 'limit=2' },
  listPayoutSchemas: { query: 'country=PT' },
  getPayoutSchema: { seenBy: 'everybody' },
  createMandate: {
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
  listMandates: { query: 'limit=2' },
  getMandate: { seenBy: 'client' },
  suspendMandate: { path: { mandate_id: ({ mandateToSuspend }) => mandateToSuspend }, seenBy: 'client' },
  revokeMandate: {
    path: { mandate_id: ({ mandateToRevoke }) => mandateToRevoke },
    untouched: ({ mandateId }) => `/v1/mandates/${mandateId}/revoke`,
    seenBy: 'client',
  },
  createMandateTransfer: { body: () => ({ amount: '1.00', currency: 'EUR' }), seenBy: 'client' },
  checkMandateTransfer: { body: () => ({ amount: '1.00', currency: 'EUR' }), seenBy: 'client' },
  createCard: { body: () => ({ type: 'virtual', currency: 'EUR' }) },
  listCards: { query: 'limit=2' },
  listCardActivity: { query: 'limit=5' },
  freezeCard: { path: { card_id: ({ cardToFreeze }) => cardToFreeze } },
  unfreezeCard: { path: { card_id: ({ frozenCard }) => frozenCard } },
  closeCard: { path: { card_id: ({ cardToClose }) => cardToClose } },
  listAccounts: { query: 'limit=2' },
  getWithdrawalLimits: { query: 'schema=sepa_pt_eur&currency=EUR' },
  listActivity: { query: 'source=account&limit=5' },
  createWithdrawal: {
    body: ({ beneficiaryId }) => ({ beneficiary_id: beneficiaryId, amount: '1.00', currency: 'EUR' }),
  },
  checkWithdrawal: {
    body: ({ beneficiaryId }) => ({ beneficiary_id: beneficiaryId, amount: '1.00', currency: 'EUR' }),
  },
  createTransferQuote: {
    body: ({ beneficiaryId }) => ({
      source_currency: 'EUR',
      target_currency: 'EUR',
      amount: '100.00',
      fixed_side: 'source',
      beneficiary_id: beneficiaryId,
    }),
  },
  createPurchaseQuote: {
    body: ({ serviceId, productId }) => ({ service_id: serviceId, product_id: productId, quantity: 1 }),
  },
  getPurchaseQuote: { seenBy: 'client' },
  listPurchases: { query: 'limit=2' },
  listServices: { query: 'limit=5' },
  getService: { seenBy: 'everybody' },
  createWebhookSubscription: { body: () => ({ url: webhookUrl, events: ['operation.succeeded'] }) },
  listWebhookSubscriptions: { query: 'limit=2' },
  getWebhookSubscription: { path: ofSubscription, seenBy: 'client' },
  rotateWebhookSecret: { path: ofSubscription, seenBy: 'client' },
  listWebhookDeliveries: { path: ofSubscription, seenBy: 'client' },
  resendWebhookDelivery: { path: { ...ofSubscription, delivery_id: ({ deliveryId }) => deliveryId }, seenBy: 'client' },
  deleteWebhookSubscription: { path: { id: ({ subscriptionToDelete }) => subscriptionToDelete }, seenBy: 'client' },
  listOperatorOperations: { query: 'state=succeeded&kind=beneficiary_create&review=false&min_age_seconds=0&limit=5' },
  getOperatorOperation: { seenBy: 'everybody' },
  listOperatorGrants: { query: 'client_id=ines-agent&status=active&limit=2' },
  suspendOperatorGrant: { seenBy: 'everybody' },
  createKycSession: { by: 'unverified' },
  disconnectService: { ends: true },
}

export const fixtures = Object.fromEntries(
  Object.entries(routes as Record<string, Route>).map(([name, row]) => [
    name,
    fixtureOf(row, exceptions[name as RouteName]),
  ]),
) as Readonly<Record<RouteName, Fixture>>

function fixtureOf(row: Route, { path = {}, query, ...stated }: Exception = {}): Fixture {
  const { body } = row
  const filled = (valueOf: (name: string) => string) =>
    row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name))
  const values = { ...inPath, ...path }
  const refusal = row.problems.find((code) => code.endsWith('_not_found'))
  return {
    target(world) {
      const target = filled((name) => {
        const value = values[name]?.(world)
        if (value === undefined) throw new Error(`${row.path}: the world has no ${name}`)
        return value
      })
      return query === undefined ? target : `${target}?${typeof query === 'string' ? query : query(world)}`
    },
    ...(body === null ? {} : { body: () => exampleOf(body) as Record<string, unknown> }),
    ...(row.audience === 'operator' ? { by: 'operator' as const } : {}),
    ...(row.path.includes('{') ? { foreign: { target: filled(() => nobody), code: String(refusal) } } : {}),
    ...stated,
  }
}
