/**
 * The names of the document's schemas. A named schema is referenced, and any other schema is written out in place.
 * Bodies, responses and pages are named after their routes and items.
 *
 * Invariant: every object and every enum that occurs twice has a name, because generators name the rest by its place.
 */

import { z } from 'zod'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'
import * as accounts from '../schemas/account.ts'
import * as activities from '../schemas/activity.ts'
import * as authorizations from '../schemas/authorization.ts'
import * as beneficiaries from '../schemas/beneficiary.ts'
import * as cards from '../schemas/card.ts'
import * as confirmations from '../schemas/confirmation-intent.ts'
import * as verification from '../schemas/kyc.ts'
import * as mandates from '../schemas/mandate.ts'
import * as operations from '../schemas/operation.ts'
import * as operator from '../schemas/operator.ts'
import { money } from '../schemas/primitives.ts'
import * as problems from '../schemas/problem.ts'
import * as purchases from '../schemas/purchase.ts'
import * as quotes from '../schemas/quote.ts'
import * as referenceData from '../schemas/reference-data.ts'
import * as services from '../schemas/service.ts'
import * as connections from '../schemas/service-connection.ts'
import * as system from '../schemas/system.ts'
import * as transfers from '../schemas/transfer.ts'
import * as webhooks from '../schemas/webhook.ts'

const named: Readonly<Record<string, z.ZodType>> = {
  Account: accounts.account,
  AccountBalance: accounts.accountBalance,
  AccountStatus: accounts.accountStatus,
  AccountType: accounts.accountType,
  ActionRequired: operations.actionRequired,
  ActivityDirection: activities.activityDirection,
  ActivityItem: activities.activityItem,
  ActivitySource: activities.activitySource,
  ActivityStatus: activities.activityStatus,
  AddressCountries: beneficiaries.addressCountries,
  AddressCountry: beneficiaries.addressCountry,
  Asset: referenceData.asset,
  AssetType: referenceData.assetType,
  Authorization: authorizations.authorization,
  Availability: system.availability,
  Beneficiary: beneficiaries.beneficiary,
  BeneficiaryState: beneficiaries.beneficiaryState,
  Capabilities: system.capabilities,
  Card: cards.card,
  CardActivityItem: activities.cardActivityItem,
  CardCapabilities: system.cardCapabilities,
  CardReveal: cards.cardReveal,
  CardRevealAction: operations.cardRevealAction,
  CardState: cards.cardState,
  CardType: cards.cardType,
  ClientProfile: authorizations.clientProfile,
  ConfirmableAction: authorizations.confirmableAction,
  ConfirmationFact: confirmations.confirmationFact,
  ConfirmationIntent: confirmations.confirmationIntent,
  ConfirmationRule: authorizations.confirmationRule,
  ConfirmationStatus: confirmations.confirmationStatus,
  ConfirmedAction: authorizations.confirmedAction,
  ConnectAction: operations.connectAction,
  ConnectionState: verification.connectionState,
  CreatedWebhookSubscription: webhooks.createdWebhookSubscription,
  Environment: system.environment,
  FailureCode: operations.failureCode,
  FiatPrice: referenceData.fiatPrice,
  FixedSide: quotes.fixedSide,
  Grant: authorizations.grant,
  GrantApprovalAction: operations.grantApprovalAction,
  GrantCeilings: authorizations.grantCeilings,
  GrantPolicy: authorizations.grantPolicy,
  GrantStatus: authorizations.grantStatus,
  GrantSuspension: operator.grantSuspension,
  Health: system.health,
  HealthCheck: system.healthCheck,
  HealthStatus: system.healthStatus,
  Identity: authorizations.identity,
  Kyc: verification.kyc,
  KycReasonCode: verification.kycReasonCode,
  KycSession: verification.kycSession,
  KycSessionAction: operations.kycSessionAction,
  KycStatus: verification.kycStatus,
  Mandate: mandates.mandate,
  MandateRemaining: mandates.mandateRemaining,
  MandateState: mandates.mandateState,
  MemoLimits: accounts.memoLimits,
  Metadata: system.metadata,
  Money: money,
  Mover: operator.mover,
  Onboarding: verification.onboarding,
  OnboardingRequirement: verification.onboardingRequirement,
  OpenapiDocument: system.openapi,
  Operation: operations.operation,
  OperationAvailability: system.operationAvailability,
  OperationKind: operations.operationKind,
  OperationState: operations.operationState,
  OperatorCounts: operator.operatorCounts,
  OperatorEvidence: operator.operatorEvidence,
  OperatorGrant: operator.operatorGrant,
  OperatorHistoryEntry: operator.operatorHistoryEntry,
  OperatorOperation: operator.operatorOperation,
  OperatorOperationDetail: operator.operatorOperationDetail,
  OperatorReads: operator.operatorReads,
  OperatorLateAnswer: operator.operatorLateAnswer,
  PayoutFieldType: beneficiaries.payoutFieldType,
  PayoutSchema: beneficiaries.payoutSchema,
  PayoutSchemaField: beneficiaries.payoutSchemaField,
  Problem: problems.problem,
  ProblemCode: problems.problemCode,
  ProblemField: problems.problemField,
  ProblemWithOnboarding: problems.problemWithOnboarding,
  ProviderEventCapabilities: system.providerEventCapabilities,
  PublicConfig: system.publicConfig,
  Purchase: purchases.purchase,
  PurchaseCapabilities: system.purchaseCapabilities,
  PurchaseQuote: quotes.purchaseQuote,
  PurchaseState: purchases.purchaseState,
  RegisteredClient: authorizations.client,
  RegisteredClientNames: authorizations.clientNames,
  RequestToConfirm: confirmations.requestToConfirm,
  ResourceType: operations.resourceType,
  RotatedWebhookSubscription: webhooks.rotatedWebhookSubscription,
  Scope: authorizations.scope,
  Service: services.service,
  ServiceCapability: services.serviceCapability,
  ServiceConnection: connections.serviceConnection,
  ServiceConnectionStatus: connections.serviceConnectionStatus,
  Session: authorizations.session,
  SignedMoney: accounts.signedMoney,
  SpendingAccount: accounts.spendingAccount,
  Transfer: transfers.transfer,
  TransferCapabilities: system.transferCapabilities,
  TransferKind: transfers.transferKind,
  TransferQuote: quotes.transferQuote,
  VirtualAccountEconomics: beneficiaries.virtualAccountEconomics,
  VirtualAccountFees: beneficiaries.virtualAccountFees,
  WebhookDelivery: webhooks.webhookDelivery,
  WebhookDeliveryStatus: webhooks.webhookDeliveryStatus,
  WebhookDisabledReason: webhooks.webhookDisabledReason,
  WebhookEventFilter: webhooks.webhookEventFilter,
  WebhookEventType: webhooks.webhookEventType,
  WebhookPayload: webhooks.webhookPayload,
  WebhookPayloadData: webhooks.webhookPayloadData,
  WebhookSubscription: webhooks.webhookSubscription,
  WebhookSubscriptionStatus: webhooks.webhookSubscriptionStatus,
  WithdrawalLimits: accounts.withdrawalLimits,
}

const names = new Map<z.ZodType, string>(Object.entries(named).map(([name, schema]) => [schema, name]))
for (const [name, row] of Object.entries(routes as Record<string, Route>)) {
  if (row.body && !names.has(row.body)) names.set(row.body, `${capitalised(name)}Request`)
  if (row.status !== 204 && !names.has(row.response)) names.set(row.response, nameOfPage(name, row.response))
}

function nameOfPage(name: string, response: z.ZodType): string {
  const items: unknown = response instanceof z.ZodObject ? response.shape['items'] : undefined
  const item = items instanceof z.ZodArray ? names.get(items.element as z.ZodType) : undefined
  if (item === undefined)
    throw new Error(`the response of ${name} has no name: give its schema one in openapi/named-schemas.ts`)
  return `${item}List`
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Every named schema with its name. */
export const namesOfSchemas: ReadonlyMap<z.ZodType, string> = names

/** The name of a named schema. @throws Error if the schema has no name */
export function nameOf(schema: z.ZodType): string {
  const name = names.get(schema)
  if (name === undefined) throw new Error('the schema has no name')
  return name
}
