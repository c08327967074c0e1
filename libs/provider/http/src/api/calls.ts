/**
 * Every call of the Provider API, one row each. The published document, the addresses of the adapter and of the fake
 * provider, and the checks of the conformance kit derive from the rows. The reads are those of the port.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { allReads, type ProviderRead, type ReadName } from '@financial-agents/provider-port/reads'
import { z } from 'zod'
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
} from './hosted.ts'
import { newAction, newBeneficiary, newCard, newMandate, newMandateTransfer, newTransfer } from './instructions.ts'
import {
  actionSearchAnswer,
  mutationAnswer,
  recordSearch,
  referenceParams,
  resourceSearch,
  searchAnswer,
} from './records.ts'
import {
  newSandboxConnection,
  newSandboxDecision,
  newSandboxFault,
  newSandboxSettlement,
  sandbox,
  sandboxConnection,
  sandboxDone,
} from './sandbox.ts'

/** The part of the document in which a call stands. */
export type Area =
  | 'Instructions'
  | 'Searches'
  | 'Approvals'
  | 'Pages'
  | 'Sign-in'
  | 'Reads'
  | 'Public reads'
  | 'Sandbox'

/**
 * The effect of a call. `instruction`: changes something, executed at most once for its reference. `search`: proves an
 * instruction. `start`: opens a page, moves nothing, idempotent by its reference. `read`: changes nothing.
 */
export type Nature = 'instruction' | 'search' | 'start' | 'read'

export type ProviderCall = {
  readonly method: 'GET' | 'POST'
  /** Under the base path, with parameters in braces: `/cards/{reference}/freeze`. */
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

/** A change that breaks a provider gets another version. */
export const basePath = '/provider/v1'

const instruction = {
  method: 'POST',
  area: 'Instructions',
  nature: 'instruction',
  person: true,
  answer: mutationAnswer,
} as const

const onCard = {
  ...instruction,
  params: referenceParams,
  body: newAction,
  refusals: { 422: '`unknown_card`, `card_closed`' },
}

const onMandate = {
  ...instruction,
  params: referenceParams,
  body: newAction,
  refusals: { 422: '`unknown_mandate`, `mandate_revoked`, `mandate_expired`' },
}

const search = { method: 'GET', area: 'Searches', nature: 'search', person: true } as const
const ofRecords = { ...search, query: recordSearch, answer: searchAnswer } as const
const ofResources = { ...search, query: resourceSearch, answer: actionSearchAnswer } as const
const sandboxOrder = { method: 'POST', area: 'Sandbox', nature: 'read', person: false, answer: sandboxDone } as const

function readCalls(): Readonly<Record<ReadName, ProviderCall>> {
  const callOf = ({
    asks,
    answer,
    method,
    path,
    summary,
    description,
    person,
    refusals,
  }: ProviderRead): ProviderCall => ({
    method,
    path,
    area: person ? 'Reads' : 'Public reads',
    nature: 'read',
    summary,
    ...(description === undefined ? {} : { description }),
    person,
    ...(asks === undefined ? {} : method === 'POST' ? { body: asks } : { query: asks }),
    answer: z.object({ data: answer }).describe(`${summary}: the answer.`),
    ...(refusals === undefined ? {} : { refusals }),
  })
  return Object.fromEntries(allReads.map(([name, row]) => [name, callOf(row)])) as Record<ReadName, ProviderCall>
}

export const providerCalls = {
  createBeneficiary: {
    ...instruction,
    path: '/beneficiaries',
    kind: 'beneficiary_create',
    summary: 'Create a beneficiary',
    description:
      'Answer `unknown_payout_schema` or `invalid_details` (422) to an account that the payout schema does not accept.',
    body: newBeneficiary,
    refusals: { 422: '`unknown_payout_schema`, `invalid_details`' },
  },
  createMandate: {
    ...instruction,
    path: '/mandates',
    kind: 'mandate_create',
    summary: 'Create a permission to pay one beneficiary',
    description:
      'Where a person has to approve it first, answer `approval_required` (422) until exactly these terms were approved under this reference.',
    body: newMandate,
    refusals: { 422: '`approval_required`, `unknown_beneficiary`, `amount_too_fine`, `expires_in_the_past`' },
  },
  suspendMandate: {
    ...onMandate,
    path: '/mandates/{reference}/suspend',
    kind: 'mandate_suspend',
    summary: 'Suspend a mandate',
    description:
      'No payment is made under it from then on. A suspended mandate may be suspended again; it stays `suspended`.',
  },
  revokeMandate: {
    ...onMandate,
    path: '/mandates/{reference}/revoke',
    kind: 'mandate_revoke',
    summary: 'Revoke a mandate for good',
    description: '`revoked` is final, and only this call leads to it. A revoked mandate may be revoked again.',
  },
  createMandateTransfer: {
    ...instruction,
    path: '/mandates/{reference}/transfers',
    kind: 'mandate_transfer',
    summary: 'Pay the beneficiary of a mandate',
    description:
      'Needs no approval. Refuse the payment if the mandate is not `active`, or if the payment exceeds `per_payment_max`, `total_cap`, `payment_count` or `expires_at`.',
    params: referenceParams,
    body: newMandateTransfer,
    refusals: {
      422: '`unknown_mandate`, `mandate_suspended`, `mandate_revoked`, `mandate_expired`, `mandate_limit_exceeded`, `mandate_exhausted`, and those of a transfer',
    },
  },
  createTransfer: {
    ...instruction,
    path: '/transfers',
    kind: 'transfer',
    summary: 'Pay a beneficiary',
    description:
      'Where a person has to approve it first, answer `approval_required` (422) until exactly these terms were approved under this reference.',
    body: newTransfer,
    refusals: {
      422: '`approval_required`, `unknown_beneficiary`, `wrong_currency`, `amount_too_fine`, `under_limit`, `over_limit`, `memo_length`, `unknown_purpose_code`, `insufficient_funds`',
    },
  },
  createCard: {
    ...instruction,
    path: '/cards',
    kind: 'card_create',
    summary: 'Create a card',
    description: 'The records of a created card have `brand` and `last_four`, in the answer and in every search.',
    body: newCard,
    refusals: { 422: '`card_type_not_offered`, `currency_not_offered`, `too_many_cards`' },
  },
  freezeCard: {
    ...onCard,
    path: '/cards/{reference}/freeze',
    kind: 'card_freeze',
    summary: 'Freeze a card',
    description: 'A frozen card may be frozen again. `settled_at` of the record is the time of the change.',
  },
  unfreezeCard: {
    ...onCard,
    path: '/cards/{reference}/unfreeze',
    kind: 'card_unfreeze',
    summary: 'Unfreeze a card',
    description:
      'A card that is not frozen may be unfrozen. `settled_at` of the record is the time of the change: the later of a freeze and an unfreeze decides the state of the card.',
  },
  closeCard: {
    ...onCard,
    path: '/cards/{reference}/close',
    kind: 'card_close',
    summary: 'Close a card for good',
    description: '`closed` is final, and only this call leads to it. A closed card may be closed again.',
  },
  revokeConnection: {
    ...instruction,
    path: '/connection/revoke',
    kind: 'transfer_grant_revoke',
    summary: 'Revoke the connection of the credentials',
    description:
      'From then on every other instruction and every start with these credentials is refused (403 `connection_revoked`). Searches and reads still work, and so does this call.',
    body: newAction,
  },

  findBeneficiaries: { ...ofRecords, path: '/beneficiaries', summary: 'Find the records of beneficiaries' },
  findMandates: {
    ...ofResources,
    path: '/mandates',
    summary: 'Find mandates and the actions on them',
    description:
      'With `client_reference` or `reference`, the entries are mandates, and each also has the members of the record of its creation. The state is `pending` until the creation is final, `failed` if it failed, `active`, `suspended`, `revoked`, or `expired` after its end.',
  },
  findTransfers: {
    ...ofRecords,
    path: '/transfers',
    summary: 'Find the records of transfers',
    description: 'Of direct transfers and of those under mandates.',
  },
  findCards: {
    ...ofResources,
    path: '/cards',
    summary: 'Find cards and the actions on them',
    description:
      'With `client_reference` or `reference`, the entries are cards, and each also has the members of the record of its creation, with `brand` and `last_four`. The state is `pending` until the creation is final, `failed` if it failed, `active`, `frozen` or `closed`.',
  },
  findConnections: {
    ...ofResources,
    path: '/connection',
    summary: 'Find the connection of the credentials and the actions on it',
    description:
      'The connection of the credentials is always an entry, whatever the query is: its state is `active` or `revoked`. Connections of the same person on which a matching action was made are further entries.',
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
    path: '/approvals/{reference}',
    area: 'Approvals',
    nature: 'read',
    person: true,
    summary: 'Read the decision of an approval',
    params: referenceParams,
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
    refusals: { 404: '`unknown_card`', 409: '`reference_reused`, or the card cannot be shown (`card_closed`)' },
  },
  startIdentityCheck: {
    method: 'POST',
    path: '/identity-checks',
    area: 'Pages',
    nature: 'start',
    person: true,
    summary: 'Open the page on which a person proves who they are',
    description: 'Answer this call even if the identity check has expired.',
    body: newIdentityCheck,
    answer: identityCheck,
    refusals: { 409: '`reference_reused`, or `identity_verified`: there is nothing to prove' },
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
    path: '/device-authentications/{reference}',
    area: 'Sign-in',
    nature: 'read',
    person: false,
    summary: 'Read the decision of a sign-in',
    description:
      'Return the credentials at every read until an hour after the end of the sign-in, because an answer may be lost.',
    params: referenceParams,
    answer: deviceAuthenticationResult,
    refusals: { 404: '`unknown_authentication`' },
  },

  ...readCalls(),

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

export const allProviderCalls = Object.entries(providerCalls) as readonly (readonly [ProviderCallName, ProviderCall])[]
