/**
 * This API's own services as one table: the routes of each capability. Requirements, availability and category come
 * from the rows of those routes, so this table repeats nothing of the route table.
 *
 * Invariants, checked by the test beside this file: every route for which one scope is enough belongs to one
 * capability; a route that an environment must enable belongs to the capability of that name.
 */

import type { RouteName } from '@financial-agents/contract/routes'

export type OwnService = {
  /** Our own id, the same for ever and in every environment. */
  id: string
  name: string
  capabilities: CapabilityRoutes
}

/** The routes of each capability. A capability without routes in this release has none. */
export type CapabilityRoutes = Readonly<Record<string, readonly RouteName[]>>

/** The capabilities of purchases, for the provider's services and for the area alike. */
export const purchasing: CapabilityRoutes = {
  'purchases.quote': ['createPurchaseQuote', 'getPurchaseQuote'],
  'purchases.exact_execute': [],
  'purchases.query_execute': [],
}

export const ownServices: readonly OwnService[] = [
  {
    id: '01941f29-7c00-7070-a724-d5c1d37b8994',
    name: 'Accounts',
    capabilities: { 'accounts.read': ['listAccounts', 'getAccount', 'getWithdrawalLimits'] },
  },
  {
    id: '01941f29-7c00-7092-aeb2-ba455713278e',
    name: 'Activity',
    capabilities: { 'activity.read': ['listActivity'] },
  },
  {
    id: '01941f29-7c00-70ff-b16d-f6b59cc58b32',
    name: 'Spending account and withdrawals',
    capabilities: { 'spending.read': ['getSpendingAccount'], 'transfers.execute': ['createWithdrawal'] },
  },
  {
    id: '01941f29-7c00-7131-a6a4-a942aec6dae2',
    name: 'Beneficiaries',
    capabilities: {
      'beneficiaries.read': [
        'listBeneficiaries',
        'getBeneficiary',
        'listPayoutSchemas',
        'getPayoutSchema',
        'getVirtualAccountEconomics',
        'listAddressCountries',
      ],
      'beneficiaries.create': ['createBeneficiary'],
    },
  },
  {
    id: '01941f29-7c00-715b-b7ff-f59861f74d56',
    name: 'Mandates',
    capabilities: {
      'mandates.read': ['listMandates', 'getMandate'],
      'mandates.manage': ['createMandate', 'suspendMandate', 'revokeMandate'],
      'transfers.execute': ['createMandateTransfer'],
    },
  },
  {
    id: '01941f29-7c00-723c-9de3-f1fb83e34179',
    name: 'Cards',
    capabilities: {
      'cards.read': ['listCards', 'getCard', 'listCardActivity'],
      'cards.manage': ['createCard', 'freezeCard', 'unfreezeCard', 'closeCard'],
      'cards.reveal': ['createCardReveal'],
    },
  },
  {
    id: '01941f29-7c00-7271-ad5d-7365f61dc89b',
    name: 'Transfer quotes',
    capabilities: { 'transfers.quote': ['createTransferQuote'] },
  },
  {
    id: '01941f29-7c00-730d-a58e-06bcee4c2f78',
    name: 'Purchases',
    capabilities: { 'purchases.read': ['listPurchases', 'getPurchase'], ...purchasing },
  },
  {
    id: '01941f29-7c00-7544-ac3a-d1cc6342849e',
    name: 'Operations',
    capabilities: { 'operations.read': ['listOperations', 'getOperation', 'pollOperationApproval'] },
  },
  {
    id: '01941f29-7c00-7561-9d0e-6b27c41f83aa',
    name: 'Transfers',
    capabilities: { 'transfers.read': ['listTransfers', 'getTransfer'] },
  },
  {
    id: '01941f29-7c00-7599-bdb3-76937df9ec5c',
    name: 'Operation webhooks',
    capabilities: {
      'webhooks.manage': [
        'createWebhookSubscription',
        'listWebhookSubscriptions',
        'getWebhookSubscription',
        'deleteWebhookSubscription',
        'rotateWebhookSecret',
        'listWebhookDeliveries',
      ],
    },
  },
  {
    id: '01941f29-7c00-7697-bb73-104ab3fa358f',
    name: 'Verification',
    capabilities: { 'kyc.read': ['getKyc'], 'kyc.start': ['createKycSession'] },
  },
  {
    id: '01941f29-7c00-785b-af27-f88635d867f1',
    name: 'Onboarding and connection',
    capabilities: {
      'onboarding.read': ['getOnboarding'],
      'connection.read': ['getServiceConnection'],
      'connection.disconnect': ['disconnectService'],
    },
  },
  {
    id: '01941f29-7c00-7ba9-9542-06e737d61f7e',
    name: 'Authorization',
    capabilities: { 'authorization.read': ['getAuthorization'] },
  },
  {
    id: '01941f29-7c00-7d58-b35d-c6440c123937',
    name: 'Identity',
    capabilities: { 'identity.read': ['getIdentity'] },
  },
  {
    id: '01941f29-7c00-7e82-b224-6fe46361a979',
    name: 'Services',
    capabilities: { 'services.read': ['listServices', 'getService'] },
  },
]
