/**
 * The named schemas of the document. A named schema is referenced, and any other schema is written out in place.
 * Bodies, responses and pages are named after their routes and items.
 */

import { z } from 'zod'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'
import { account, spendingAccount, withdrawalLimits } from '../schemas/account.ts'
import { activityItem, cardActivityItem } from '../schemas/activity.ts'
import { authorization, confirmedAction, grantPolicy, identity, session } from '../schemas/authorization.ts'
import {
  addressCountries,
  beneficiary,
  payoutSchema,
  payoutSchemaField,
  virtualAccountEconomics,
} from '../schemas/beneficiary.ts'
import { card, cardReveal } from '../schemas/card.ts'
import { confirmationIntent } from '../schemas/confirmation-intent.ts'
import { kyc, kycSession, kycStatus, onboarding } from '../schemas/kyc.ts'
import { mandate } from '../schemas/mandate.ts'
import { actionRequired, failureCode, operation, operationKind, operationState } from '../schemas/operation.ts'
import {
  operatorEvidence,
  operatorGrant,
  operatorHistoryEntry,
  operatorOperation,
  operatorOperationDetail,
} from '../schemas/operator.ts'
import { money } from '../schemas/primitives.ts'
import { problem, problemCode, problemField, problemWithOnboarding } from '../schemas/problem.ts'
import { purchase } from '../schemas/purchase.ts'
import { purchaseQuote, transferQuote } from '../schemas/quote.ts'
import { asset, fiatPrice } from '../schemas/reference-data.ts'
import { service } from '../schemas/service.ts'
import { serviceConnection } from '../schemas/service-connection.ts'
import { availability, health, metadata, openapi, publicConfig } from '../schemas/system.ts'
import { transfer } from '../schemas/transfer.ts'
import {
  createdWebhookSubscription,
  webhookDelivery,
  webhookEventType,
  webhookPayload,
  webhookSubscription,
} from '../schemas/webhook.ts'

const named: Readonly<Record<string, z.ZodType>> = {
  Account: account,
  ActionRequired: actionRequired,
  ActivityItem: activityItem,
  AddressCountries: addressCountries,
  Asset: asset,
  Authorization: authorization,
  Availability: availability,
  Beneficiary: beneficiary,
  Card: card,
  CardActivityItem: cardActivityItem,
  CardReveal: cardReveal,
  ConfirmationIntent: confirmationIntent,
  ConfirmedAction: confirmedAction,
  CreatedWebhookSubscription: createdWebhookSubscription,
  FailureCode: failureCode,
  FiatPrice: fiatPrice,
  GrantPolicy: grantPolicy,
  Health: health,
  Identity: identity,
  Kyc: kyc,
  KycSession: kycSession,
  KycStatus: kycStatus,
  Mandate: mandate,
  Metadata: metadata,
  Money: money,
  Onboarding: onboarding,
  OpenapiDocument: openapi,
  Operation: operation,
  OperationKind: operationKind,
  OperationState: operationState,
  OperatorEvidence: operatorEvidence,
  OperatorGrant: operatorGrant,
  OperatorHistoryEntry: operatorHistoryEntry,
  OperatorOperation: operatorOperation,
  OperatorOperationDetail: operatorOperationDetail,
  PayoutSchema: payoutSchema,
  PayoutSchemaField: payoutSchemaField,
  Problem: problem,
  ProblemCode: problemCode,
  ProblemField: problemField,
  ProblemWithOnboarding: problemWithOnboarding,
  PublicConfig: publicConfig,
  Purchase: purchase,
  PurchaseQuote: purchaseQuote,
  Service: service,
  ServiceConnection: serviceConnection,
  Session: session,
  SpendingAccount: spendingAccount,
  Transfer: transfer,
  TransferQuote: transferQuote,
  VirtualAccountEconomics: virtualAccountEconomics,
  WebhookDelivery: webhookDelivery,
  WebhookEventType: webhookEventType,
  WebhookPayload: webhookPayload,
  WebhookSubscription: webhookSubscription,
  WithdrawalLimits: withdrawalLimits,
}

const table = Object.entries(routes as Record<string, Route>)
const names = new Map<z.ZodType, string>(Object.entries(named).map(([name, schema]) => [schema, name]))
for (const [name, row] of table) {
  if (row.body && !names.has(row.body)) names.set(row.body, `${capitalised(name)}Request`)
  if (row.status !== 204 && !names.has(row.response)) names.set(row.response, nameOfPage(name, row.response))
}

function nameOfPage(name: string, response: z.ZodType): string {
  const items: unknown = response instanceof z.ZodObject ? response.shape['items'] : undefined
  const item = items instanceof z.ZodArray ? names.get(items.element as z.ZodType) : undefined
  if (item === undefined)
    throw new Error(`the response of ${name} has no name: give its schema one in openapi/components.ts`)
  return `${item}List`
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The name of a named schema. @throws Error if the schema has no name */
export function nameOf(schema: z.ZodType): string {
  const name = names.get(schema)
  if (name === undefined) throw new Error('the schema has no name')
  return name
}

/** A reference to a named schema. */
export function schemaReference(schema: z.ZodType): { $ref: string } {
  return { $ref: toReference(nameOf(schema)) }
}

const toReference = (name: string) => `#/components/schemas/${name}`

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>

/** The member `components.schemas` of the document. */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const converted = z.toJSONSchema(registry, { uri: toReference }).schemas
  const sorted = Object.keys(converted).toSorted()
  return Object.fromEntries(sorted.map((name) => [name, withoutIdentity(converted[name] as JsonSchema)]))
}

/** The schema of one parameter in the form that clients send. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema)
}

function withoutIdentity({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema
}
