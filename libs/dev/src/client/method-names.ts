/**
 * The names of the client's methods, by route: `mandates.transfer` is `agent.mandates.transfer(…)`. Names are promises of
 * `@financial-agents/client`. The compiler asks for the name of a new route; null means that the client has no method.
 */

import type { RouteName } from '@financial-agents/contract/routes'

/** The resource and the method of each route. */
export const methodNames: Record<RouteName, `${string}.${string}` | null> = {
  getHealth: 'system.health',
  getMetadata: 'system.metadata',
  getPublicConfig: 'system.publicConfig',
  getOpenapi: 'system.openapi',
  getAuthorization: 'authorization.get',
  createConfirmationIntent: 'confirmations.create',
  getConfirmationIntent: 'confirmations.get',
  getIdentity: 'identity.get',
  // Takes the session cookie of the pages, and no token.
  getSession: null,
  listOperations: 'operations.list',
  getOperation: 'operations.get',
  pollOperationApproval: 'operations.pollApproval',
  listTransfers: 'transfers.list',
  getTransfer: 'transfers.get',
  createWebhookSubscription: 'webhooks.create',
  listWebhookSubscriptions: 'webhooks.list',
  getWebhookSubscription: 'webhooks.get',
  deleteWebhookSubscription: 'webhooks.delete',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  listWebhookDeliveries: 'webhooks.deliveries',
  getOnboarding: 'onboarding.get',
  getServiceConnection: 'connection.get',
  disconnectService: 'connection.disconnect',
  getKyc: 'kyc.get',
  createKycSession: 'kyc.startSession',
  listAccounts: 'accounts.list',
  getAccount: 'accounts.get',
  getWithdrawalLimits: 'accounts.withdrawalLimits',
  listActivity: 'activity.list',
  createBeneficiary: 'beneficiaries.create',
  listBeneficiaries: 'beneficiaries.list',
  getBeneficiary: 'beneficiaries.get',
  listPayoutSchemas: 'payoutSchemas.list',
  getPayoutSchema: 'payoutSchemas.get',
  getVirtualAccountEconomics: 'beneficiaries.virtualAccountEconomics',
  listAddressCountries: 'beneficiaries.addressCountries',
  createMandate: 'mandates.create',
  listMandates: 'mandates.list',
  getMandate: 'mandates.get',
  suspendMandate: 'mandates.suspend',
  revokeMandate: 'mandates.revoke',
  createMandateTransfer: 'mandates.transfer',
  createCard: 'cards.create',
  listCards: 'cards.list',
  getCard: 'cards.get',
  listCardActivity: 'cards.activity',
  freezeCard: 'cards.freeze',
  unfreezeCard: 'cards.unfreeze',
  closeCard: 'cards.close',
  createCardReveal: 'cards.reveal',
  getSpendingAccount: 'spending.get',
  createWithdrawal: 'spending.withdraw',
  createTransferQuote: 'quotes.create',
  createPurchaseQuote: 'purchases.createQuote',
  getPurchaseQuote: 'purchases.getQuote',
  listPurchases: 'purchases.list',
  getPurchase: 'purchases.get',
  listServices: 'services.list',
  getService: 'services.get',
  listAssets: 'referenceData.assets',
  listFiatPrices: 'referenceData.fiatPrices',
  // Operators have a console, and tokens of another issuer.
  listOperatorOperations: null,
  getOperatorOperation: null,
  listOperatorGrants: null,
  suspendOperatorGrant: null,
}

/** A route with a method: its resource and its method's name. */
export type Method = { route: RouteName; resource: string; method: string }

/** The methods, in the order of the table. */
export const methods: readonly Method[] = Object.entries(methodNames).flatMap(([route, name]) => {
  const [resource, method] = name?.split('.') ?? []
  return resource && method ? [{ route: route as RouteName, resource, method }] : []
})
