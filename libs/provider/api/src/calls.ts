/**
 * Every call of the Provider API, one row each. The published document, the addresses of the adapter and of the fake
 * provider, and the checks of the conformance kit derive from the rows.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { z } from 'zod'
import { accounts, identity, limits, limitsQuery, purse } from './shapes/accounts.ts'
import {
  approvalResult,
  approvalStarted,
  cardReveal,
  deviceAuthenticationResult,
  deviceAuthenticationStarted,
  identityCheck,
  newApproval,
  newCardReveal,
  newDeviceAuthentication,
  newIdentityCheck,
} from './shapes/hosted.ts'
import {
  newAction,
  newBeneficiary,
  newCard,
  newGrant,
  newTransfer,
  newTransferUnderGrant,
  refParams,
} from './shapes/instructions.ts'
import { accountNumberTerms, assets, prices, pricesQuery } from './shapes/market.ts'
import { movements, movementsQuery } from './shapes/movements.ts'
import {
  newPurchaseEstimate,
  newTransferEstimate,
  offers,
  orders,
  purchaseEstimate,
  transferEstimate,
} from './shapes/quotes.ts'
import { actionSearchAnswer, mutationAnswer, recordSearch, searchAnswer, thingSearch } from './shapes/records.ts'
import { countries, payoutSchemes } from './shapes/reference-data.ts'
import {
  newSandboxConnection,
  newSandboxDecision,
  newSandboxFault,
  newSandboxSettlement,
  sandbox,
  sandboxConnection,
  sandboxDone,
} from './shapes/sandbox.ts'

/** The part of the document in which a call stands. */
export type Area = 'Instructions' | 'Searches' | 'Approvals' | 'Pages' | 'Sign-in' | 'Reads' | 'Market' | 'Sandbox'

/**
 * The effect of a call. `instruction`: changes something, executed at most once for its reference. `search`: proves an
 * instruction. `start`: opens a page, moves nothing, idempotent by its reference. `read`: changes nothing.
 */
export type Nature = 'instruction' | 'search' | 'start' | 'read'

/** One call. */
export type ProviderCall = {
  readonly method: 'GET' | 'POST'
  /** Under the base path, with parameters in braces: `/cards/{ref}/pause`. */
  readonly path: string
  readonly area: Area
  readonly nature: Nature
  readonly summary: string
  readonly description?: string
  /** The kind of operation that the instruction executes. */
  readonly kind?: OperationKind
  /** False: the call is answered without a person's credentials. */
  readonly person: boolean
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** The shape of every successful answer. */
  readonly answer: z.ZodType
  /** Refusals with a meaning of their own, by status. */
  readonly refusals?: Readonly<Record<number, string>>
}

/** The base path. A change that breaks a provider gets another version. */
export const basePath = '/provider/v1'

const instruction = {
  method: 'POST',
  area: 'Instructions',
  nature: 'instruction',
  person: true,
  answer: mutationAnswer,
} as const

const onCard = { ...instruction, params: refParams, body: newAction, refusals: { 422: '`unknown_card`, `card_ended`' } }

const onGrant = {
  ...instruction,
  params: refParams,
  body: newAction,
  refusals: { 422: '`unknown_grant`, `grant_withdrawn`, `grant_lapsed`' },
}

const search = { method: 'GET', area: 'Searches', nature: 'search', person: true } as const
const ofRecords = { ...search, query: recordSearch, answer: searchAnswer } as const
const ofThings = { ...search, query: thingSearch, answer: actionSearchAnswer } as const
const read = { method: 'GET', area: 'Reads', nature: 'read', person: true } as const
const market = { method: 'GET', area: 'Market', nature: 'read', person: false } as const
const sandboxOrder = { method: 'POST', area: 'Sandbox', nature: 'read', person: false, answer: sandboxDone } as const

/** The rows by name. */
export const providerCalls = {
  createBeneficiary: {
    ...instruction,
    path: '/beneficiaries',
    kind: 'beneficiary_create',
    summary: 'Keep a payee',
    description:
      'Answer `unknown_scheme` or `invalid_destination` (422) to an account that the scheme does not accept.',
    body: newBeneficiary,
    refusals: { 422: '`unknown_scheme`, `invalid_destination`' },
  },
  createGrant: {
    ...instruction,
    path: '/grants',
    kind: 'mandate_create',
    summary: 'Keep a standing permission to pay one payee',
    description:
      'Where a person has to approve it first, answer `approval_missing` (422) until exactly these terms were approved under this reference.',
    body: newGrant,
    refusals: { 422: '`approval_missing`, `unknown_payee`, `amount_too_fine`, `ends_in_the_past`' },
  },
  pauseGrant: {
    ...onGrant,
    path: '/grants/{ref}/pause',
    kind: 'mandate_suspend',
    summary: 'Pause a grant',
    description:
      'No payment is made under it from then on. A paused grant may be paused again; the grant stays `paused`.',
  },
  withdrawGrant: {
    ...onGrant,
    path: '/grants/{ref}/withdraw',
    kind: 'mandate_revoke',
    summary: 'Withdraw a grant for good',
    description: '`withdrawn` is final, and only this call leads to it. A withdrawn grant may be withdrawn again.',
  },
  payUnderGrant: {
    ...instruction,
    path: '/grants/{ref}/transfers',
    kind: 'mandate_transfer',
    summary: 'Pay the payee of a grant',
    description:
      'Needs no approval. Refuse the payment if the grant is not `open`, or if the payment exceeds `each`, `all`, `uses` or `ends_at`.',
    params: refParams,
    body: newTransferUnderGrant,
    refusals: {
      422: '`unknown_grant`, `grant_paused`, `grant_withdrawn`, `grant_lapsed`, `over_ceiling`, `no_uses_left`, and those of a transfer',
    },
  },
  createTransfer: {
    ...instruction,
    path: '/transfers',
    kind: 'transfer',
    summary: 'Pay a payee',
    description:
      'Where a person has to approve it first, answer `approval_missing` (422) until exactly these terms were approved under this reference.',
    body: newTransfer,
    refusals: {
      422: '`approval_missing`, `unknown_payee`, `wrong_currency`, `amount_too_fine`, `under_limit`, `over_limit`, `note_length`, `unknown_purpose`, `insufficient_funds`',
    },
  },
  createCard: {
    ...instruction,
    path: '/cards',
    kind: 'card_create',
    summary: 'Make a card',
    description:
      'The records of a card that was made have `brand` and `number_tail`, in the answer and in every search.',
    body: newCard,
    refusals: { 422: '`form_not_offered`, `currency_not_offered`, `too_many_cards`' },
  },
  pauseCard: {
    ...onCard,
    path: '/cards/{ref}/pause',
    kind: 'card_freeze',
    summary: 'Pause a card',
    description: 'A paused card may be paused again. `settled_at` of the record is the time of the change.',
  },
  resumeCard: {
    ...onCard,
    path: '/cards/{ref}/resume',
    kind: 'card_unfreeze',
    summary: 'Resume a card',
    description:
      'A card that is not paused may be resumed. `settled_at` of the record is the time of the change: the later of a pause and a resume decides the state of the card.',
  },
  endCard: {
    ...onCard,
    path: '/cards/{ref}/end',
    kind: 'card_close',
    summary: 'End a card for good',
    description: '`ended` is final, and only this call leads to it. A card that has ended may be ended again.',
  },
  withdrawConnection: {
    ...instruction,
    path: '/connection/withdraw',
    kind: 'transfer_grant_revoke',
    summary: 'Withdraw the connection of the credentials',
    description:
      'From then on every other instruction and every start with these credentials is refused (403 `connection_withdrawn`). Searches and reads still work, and so does this call.',
    body: newAction,
  },

  findBeneficiaries: { ...ofRecords, path: '/beneficiaries', summary: 'Find the records of payees' },
  findGrants: {
    ...ofThings,
    path: '/grants',
    summary: 'Find grants and the actions on them',
    description:
      'With `client_reference` or `provider_ref`, the entries are grants, and each also has the members of the record of its creation. The state is `making` until the creation is final, `void` if it failed, `open`, `paused`, `withdrawn`, or `lapsed` after its end.',
  },
  findTransfers: {
    ...ofRecords,
    path: '/transfers',
    summary: 'Find the records of transfers',
    description: 'Of direct transfers and of those under grants.',
  },
  findCards: {
    ...ofThings,
    path: '/cards',
    summary: 'Find cards and the actions on them',
    description:
      'With `client_reference` or `provider_ref`, the entries are cards, and each also has the members of the record of its creation, with `brand` and `number_tail`. The state is `making` until the creation is final, `void` if it failed, `live`, `paused` or `ended`.',
  },
  findConnections: {
    ...ofThings,
    path: '/connection',
    summary: 'Find the connection of the credentials and the actions on it',
    description:
      'The connection of the credentials is always an entry, whatever was asked for: its state is `open` or `withdrawn`. Connections of the same person on which a matching action was made are further entries.',
  },

  prepareApproval: {
    method: 'POST',
    path: '/approvals',
    area: 'Approvals',
    nature: 'start',
    person: true,
    summary: 'Ask whether a person has to approve an instruction, and where',
    description:
      'Moves nothing. An equal request gets an equal answer. The approval is decided once, and permits exactly these terms under this reference. If you would refuse the instruction itself, refuse it here (422).',
    body: newApproval,
    answer: approvalStarted,
    refusals: {
      409: '`reference_reused`: the reference has another instruction',
      422: 'the codes of the instruction itself',
    },
  },
  readApproval: {
    method: 'GET',
    path: '/approvals/{ref}',
    area: 'Approvals',
    nature: 'read',
    person: true,
    summary: 'Read the decision of an approval',
    params: refParams,
    answer: approvalResult,
    refusals: { 404: '`unknown_approval`' },
  },

  startCardReveal: {
    method: 'POST',
    path: '/card-reveals',
    area: 'Pages',
    nature: 'start',
    person: true,
    summary: 'Open the page that shows the number of a card',
    body: newCardReveal,
    answer: cardReveal,
    refusals: { 404: '`unknown_card`', 409: '`reference_reused`, or the card cannot be shown (`card_ended`)' },
  },
  startIdentityCheck: {
    method: 'POST',
    path: '/identity-checks',
    area: 'Pages',
    nature: 'start',
    person: true,
    summary: 'Open the page on which a person proves who they are',
    description: 'Answer this call even if the identity has lapsed.',
    body: newIdentityCheck,
    answer: identityCheck,
    refusals: { 409: '`reference_reused`, or `identity_known`: there is nothing to prove' },
  },

  startDeviceAuthentication: {
    method: 'POST',
    path: '/device-authentications',
    area: 'Sign-in',
    nature: 'start',
    person: false,
    summary: 'Start a sign-in',
    body: newDeviceAuthentication,
    answer: deviceAuthenticationStarted,
    refusals: { 409: '`reference_reused`: the reference has another return address' },
  },
  readDeviceAuthentication: {
    method: 'GET',
    path: '/device-authentications/{ref}',
    area: 'Sign-in',
    nature: 'read',
    person: false,
    summary: 'Read the decision of a sign-in',
    description:
      'Return the credentials at every read until an hour after the end of the sign-in, because an answer may be lost.',
    params: refParams,
    answer: deviceAuthenticationResult,
    refusals: { 404: '`unknown_authentication`' },
  },

  readIdentity: { ...read, path: '/identity', summary: 'Read the state of the identity check', answer: identity },
  readAccounts: { ...read, path: '/accounts', summary: 'Read the accounts', answer: accounts },
  readPurse: { ...read, path: '/purse', summary: 'Read the money to spend', answer: purse },
  readLimits: {
    ...read,
    path: '/limits',
    summary: 'Read the limits of one transfer',
    query: limitsQuery,
    answer: limits,
  },
  readAccountNumberTerms: {
    ...read,
    path: '/account-number-terms',
    summary: 'Read the terms of account numbers',
    answer: accountNumberTerms,
  },
  readPayoutSchemes: {
    ...read,
    path: '/payout-schemas',
    summary: 'Read the schemes of payouts',
    answer: payoutSchemes,
  },
  readCountries: { ...read, path: '/countries', summary: 'Read the countries of addresses', answer: countries },
  readMovements: {
    ...read,
    path: '/movements',
    summary: 'Read movements of money, newest first',
    query: movementsQuery,
    answer: movements,
    refusals: { 400: '`unknown_page`: the token is not of this query and person' },
  },
  readOrders: { ...read, path: '/orders', summary: 'Read the orders, newest first', answer: orders },
  estimateTransfer: {
    ...read,
    method: 'POST',
    path: '/transfer-estimates',
    summary: 'Estimate a transfer',
    description:
      'A read: it reserves and charges nothing. It has a body instead of a query, because the request may name a person.',
    body: newTransferEstimate,
    answer: transferEstimate,
  },
  estimatePurchase: {
    ...read,
    method: 'POST',
    path: '/purchase-estimates',
    summary: 'Estimate a purchase',
    description:
      'A read: it reserves and charges nothing. It has a body instead of a query, because the request may name a person.',
    body: newPurchaseEstimate,
    answer: purchaseEstimate,
  },

  readOffers: { ...market, path: '/offers', summary: 'Read the offers for sale', answer: offers },
  readAssets: { ...market, path: '/assets', summary: 'Read the assets', answer: assets },
  readPrices: { ...market, path: '/prices', summary: 'Read prices in a currency', query: pricesQuery, answer: prices },

  readSandbox: {
    method: 'GET',
    path: '/sandbox',
    area: 'Sandbox',
    nature: 'read',
    person: false,
    summary: 'Read the facts that the conformance kit needs',
    answer: sandbox,
  },
  createSandboxConnection: {
    ...sandboxOrder,
    path: '/sandbox/connections',
    summary: 'Make a connection',
    body: newSandboxConnection,
    answer: sandboxConnection,
  },
  orderSandboxFault: {
    ...sandboxOrder,
    path: '/sandbox/faults',
    summary: 'Order a fault for one reference',
    body: newSandboxFault,
  },
  settleInSandbox: {
    ...sandboxOrder,
    path: '/sandbox/settlements',
    summary: 'Make waiting records final',
    body: newSandboxSettlement,
  },
  decideInSandbox: {
    ...sandboxOrder,
    path: '/sandbox/decisions',
    summary: 'Decide as the person on the page of an approval',
    body: newSandboxDecision,
  },
} as const satisfies { readonly [name: string]: ProviderCall }

export type ProviderCallName = keyof typeof providerCalls

/** Each row with its name. */
export const allProviderCalls = Object.entries(providerCalls) as readonly (readonly [ProviderCallName, ProviderCall])[]
