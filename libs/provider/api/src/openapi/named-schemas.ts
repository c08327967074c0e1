/** The names of schemas in the document. A body or an answer without a name is an error of `gen`. */

import type { z } from 'zod'
import * as accounts from '../shapes/accounts.ts'
import * as hosted from '../shapes/hosted.ts'
import * as instructions from '../shapes/instructions.ts'
import * as market from '../shapes/market.ts'
import * as movements from '../shapes/movements.ts'
import * as quotes from '../shapes/quotes.ts'
import * as records from '../shapes/records.ts'
import * as referenceData from '../shapes/reference-data.ts'
import * as sandbox from '../shapes/sandbox.ts'

/** Schemas by name. */
export const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  AccountNumberTerms: market.accountNumberTerms,
  Accounts: accounts.accounts,
  ActionSearchAnswer: records.actionSearchAnswer,
  ApprovalResult: hosted.approvalResult,
  ApprovalStarted: hosted.approvalStarted,
  Assets: market.assets,
  CardReveal: hosted.cardReveal,
  Countries: referenceData.countries,
  DeviceAuthenticationResult: hosted.deviceAuthenticationResult,
  DeviceAuthenticationStarted: hosted.deviceAuthenticationStarted,
  GrantTerms: instructions.grantTerms,
  Identity: accounts.identity,
  IdentityCheck: hosted.identityCheck,
  Limits: accounts.limits,
  Movements: movements.movements,
  MutationAnswer: records.mutationAnswer,
  NewAction: instructions.newAction,
  NewApproval: hosted.newApproval,
  NewBeneficiary: instructions.newBeneficiary,
  NewCard: instructions.newCard,
  NewCardReveal: hosted.newCardReveal,
  NewDeviceAuthentication: hosted.newDeviceAuthentication,
  NewGrant: instructions.newGrant,
  NewIdentityCheck: hosted.newIdentityCheck,
  NewPurchaseEstimate: quotes.newPurchaseEstimate,
  NewSandboxConnection: sandbox.newSandboxConnection,
  NewSandboxDecision: sandbox.newSandboxDecision,
  NewSandboxFault: sandbox.newSandboxFault,
  NewSandboxSettlement: sandbox.newSandboxSettlement,
  NewTransfer: instructions.newTransfer,
  NewTransferEstimate: quotes.newTransferEstimate,
  NewTransferUnderGrant: instructions.newTransferUnderGrant,
  Offers: quotes.offers,
  Orders: quotes.orders,
  PayoutSchemes: referenceData.payoutSchemes,
  Prices: market.prices,
  ProviderRecord: records.providerRecord,
  PurchaseEstimate: quotes.purchaseEstimate,
  Purse: accounts.purse,
  Refusal: records.refusalAnswer,
  Sandbox: sandbox.sandbox,
  SandboxConnection: sandbox.sandboxConnection,
  SandboxDone: sandbox.sandboxDone,
  SearchAnswer: records.searchAnswer,
  TransferEstimate: quotes.transferEstimate,
  TransferTerms: instructions.transferTerms,
}

const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]))

/** The name of a schema. */
export function nameOf(schema: z.ZodType): string {
  const name = names.get(schema)
  if (name === undefined) throw new Error('a body or an answer has no name in named-schemas.ts')
  return name
}
