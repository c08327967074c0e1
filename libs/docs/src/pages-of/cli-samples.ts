/** The words of a command line that does what a route does. The compiler asks for the line of a new route. */

import type { RouteName } from '@financial-agents/contract/routes'
import { sampleId as id } from './sample-id.ts'

type Body = Readonly<Record<string, unknown>>
type Words = (body: never) => string[]

/** A flag with its value, if the body has one. */
function flag(name: string, value: unknown): string[] {
  return typeof value === 'string' || typeof value === 'number' ? [`--${name}`, `${value}`] : []
}

const payment = ({ amount, currency }: Body) => ['pay', String(amount), String(currency)]

/** The words by route; undefined if no command does the same. */
export const cliSamples: Readonly<Record<RouteName, ((body: unknown) => string[]) | undefined>> = of({
  getHealth: () => ['doctor'],
  getMetadata: () => ['doctor'],
  getPublicConfig: undefined,
  getOpenapi: undefined,
  getAuthorization: () => ['whoami'],
  createConfirmationIntent: undefined,
  getConfirmationIntent: undefined,
  getIdentity: () => ['whoami'],
  getSession: undefined,
  listOperations: () => ['operations', 'list', '--limit', '20'],
  getOperation: () => ['operations', 'show', id],
  pollOperationApproval: () => ['operations', 'wait', id],
  listTransfers: () => ['transfers', 'list'],
  getTransfer: undefined,
  createWebhookSubscription: undefined,
  listWebhookSubscriptions: () => ['webhooks', 'list'],
  getWebhookSubscription: undefined,
  deleteWebhookSubscription: undefined,
  rotateWebhookSecret: undefined,
  listWebhookDeliveries: () => ['webhooks', 'deliveries', id],
  getOnboarding: undefined,
  getServiceConnection: undefined,
  disconnectService: undefined,
  getKyc: undefined,
  createKycSession: undefined,
  listAccounts: () => ['accounts'],
  getAccount: undefined,
  getWithdrawalLimits: undefined,
  listActivity: undefined,
  createBeneficiary: ({ name, nickname, country, currency, details }: Body) => [
    'payees',
    'add',
    ...flag('name', name),
    ...flag('nickname', nickname),
    ...flag('country', country),
    ...flag('currency', currency),
    ...Object.entries(details as Body).map(([key, value]) => `${key}=${String(value)}`),
  ],
  listBeneficiaries: () => ['payees', 'list'],
  getBeneficiary: undefined,
  listPayoutSchemas: undefined,
  getPayoutSchema: undefined,
  getVirtualAccountEconomics: undefined,
  listAddressCountries: undefined,
  createMandate: (body: Body) => [
    'mandates',
    'create',
    ...flag('to', body['beneficiary_id']),
    ...flag('per-payment', body['per_payment_max']),
    ...flag('per-day', body['daily_max']),
    ...flag('per-week', body['weekly_max']),
    ...flag('per-month', body['monthly_max']),
    ...flag('total', body['total_cap']),
    ...flag('payments', body['payment_count']),
    ...flag('until', body['expires_at']),
  ],
  listMandates: () => ['mandates', 'list'],
  getMandate: undefined,
  suspendMandate: () => ['mandates', 'suspend', id],
  revokeMandate: () => ['mandates', 'revoke', id],
  createMandateTransfer: (body: Body) => [
    ...payment(body),
    '--mandate',
    id,
    ...flag('reference', body['reference']),
    '--intent',
    'rent-2026-11',
  ],
  createCard: ({ type, currency, label }: Body) => [
    'cards',
    'create',
    ...flag('type', type),
    ...flag('currency', currency),
    ...flag('label', label),
  ],
  listCards: () => ['cards', 'list'],
  getCard: () => ['cards', 'show', id],
  listCardActivity: undefined,
  freezeCard: () => ['cards', 'freeze', id],
  unfreezeCard: () => ['cards', 'unfreeze', id],
  closeCard: () => ['cards', 'close', id],
  createCardReveal: undefined,
  getSpendingAccount: undefined,
  createWithdrawal: (body: Body) => [
    'withdraw',
    ...payment(body).slice(1),
    ...flag('to', body['beneficiary_id']),
    ...flag('memo', body['memo']),
    '--intent',
    'rent-2026-11',
  ],
  createTransferQuote: undefined,
  createPurchaseQuote: undefined,
  getPurchaseQuote: undefined,
  listPurchases: undefined,
  getPurchase: undefined,
  listServices: undefined,
  getService: undefined,
  listAssets: undefined,
  listFiatPrices: undefined,
  listOperatorOperations: undefined,
  getOperatorOperation: undefined,
  listOperatorGrants: undefined,
  suspendOperatorGrant: undefined,
})

/** Gives the functions the type that callers use. Each function receives the example of its own route's body. */
function of(table: Readonly<Record<RouteName, Words | undefined>>) {
  return table as Readonly<Record<RouteName, ((body: unknown) => string[]) | undefined>>
}
