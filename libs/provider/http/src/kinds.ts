/**
 * One row for each operation kind: the call of its mutation, the terms that it sends, and the read that proves it. A kind without a row is
 * refused before anything is sent.
 *
 * The terms are the accepted payload, without the members that only we use: the provider does not learn which clients and rules may use a
 * mandate. The adapter never asks for the whole card number.
 */

import { kindFacts, type OperationKind } from '@financial-agents/contract/kinds'
import type { ResourceFacts } from '@financial-agents/provider-port/port'
import { z } from 'zod'
import type { ProviderCallName } from './api/calls.ts'
import { beneficiaryTerms, cardTerms, mandateTerms, mandateTransferTerms, transferTerms } from './api/instructions.ts'
import type { ProviderRecord } from './api/records.ts'
import { PlainDecimal } from './plain-decimal.ts'

export type KindRow = {
  readonly call: ProviderCallName
  /** The members of its body, from the payload and the reference of the named beneficiary. */
  readonly terms: z.ZodObject
  /** The search that proves the mutation, and the name of that read in the evidence: a fact of the kind. */
  readonly search: ProviderCallName
  readonly read: string
  /** The proof is a record of that collection, or an action on such a record. */
  readonly proof: 'record' | 'action'
  /** The final state of the named resource that only this kind leads to. */
  readonly absorbing?: string
  /** Facts about the resource; undefined if the record lacks them, which breaks the provider's interface. */
  readonly findFacts?: (record: ProviderRecord) => ResourceFacts | undefined
  /** A person may have to approve the kind. */
  readonly approval?: true
}

const nothing = z.object({})
const payment = { amount: PlainDecimal }
const cardRead = { search: 'findCards' } as const
const transactionLookup = { search: 'findTransfers', proof: 'record' } as const
const cardAction = { ...cardRead, terms: nothing, proof: 'action' } as const
const mandateAction = { terms: nothing, search: 'findMandates', proof: 'action' } as const

/** A freeze and an unfreeze may be under way together. `changed_at` shows which one was later and decides the card's state. */
const crossing = {
  findFacts: ({ settled_at }) => (settled_at === null ? undefined : { changed_at: new Date(settled_at).toISOString() }),
} as const satisfies Partial<KindRow>

const rows: { readonly [K in OperationKind]: Omit<KindRow, 'read'> } = {
  beneficiary_create: {
    call: 'createBeneficiary',
    terms: beneficiaryTerms,
    search: 'findBeneficiaries',
    proof: 'record',
  },
  card_create: {
    ...cardRead,
    call: 'createCard',
    terms: cardTerms,
    proof: 'record',
    findFacts: ({ brand, last_four }) =>
      brand === undefined || last_four === undefined ? undefined : { brand, last_four },
  },
  card_freeze: { ...cardAction, ...crossing, call: 'freezeCard' },
  card_unfreeze: { ...cardAction, ...crossing, call: 'unfreezeCard' },
  card_close: { ...cardAction, call: 'closeCard', absorbing: 'closed' },
  mandate_create: {
    call: 'createMandate',
    terms: mandateTerms.extend({
      per_payment_max: PlainDecimal,
      daily_max: PlainDecimal,
      weekly_max: PlainDecimal,
      monthly_max: PlainDecimal,
      total_cap: PlainDecimal,
    }),
    search: 'findMandates',
    proof: 'record',
    approval: true,
  },
  mandate_suspend: { ...mandateAction, call: 'suspendMandate' },
  mandate_revoke: { ...mandateAction, call: 'revokeMandate', absorbing: 'revoked' },
  mandate_transfer: {
    ...transactionLookup,
    call: 'createMandateTransfer',
    terms: mandateTransferTerms.extend(payment),
  },
  transfer: { ...transactionLookup, call: 'createTransfer', terms: transferTerms.extend(payment), approval: true },
  transfer_grant_revoke: {
    call: 'revokeConnection',
    terms: nothing,
    search: 'findConnections',
    proof: 'action',
    absorbing: 'revoked',
  },
}

const byKind: ReadonlyMap<OperationKind, KindRow> = new Map(
  (Object.keys(rows) as OperationKind[]).map((kind) => [kind, { ...rows[kind], read: kindFacts[kind].provedBy }]),
)

export function findRow(kind: OperationKind): KindRow | undefined {
  return byKind.get(kind)
}
