/**
 * One row for each operation kind: the call of its mutation, its payload in the words of the Provider API, and the read that
 * proves it. A kind without a row is refused before anything is sent.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ProviderCallName } from '@financial-agents/provider-api/calls'
import type { ProviderRecord } from '@financial-agents/provider-api/shapes/records'
import type { ResourceFacts } from '@financial-agents/provider-port/port'
import { beneficiaryCreate } from './beneficiaries.ts'
import { cardClose, cardCreate, cardFreeze, cardUnfreeze } from './cards.ts'
import { transferGrantRevoke } from './connection.ts'
import { mandateCreate, mandateRevoke, mandateSuspend } from './mandates.ts'
import { mandateTransfer, transfer } from './transfers.ts'

export type KindRow = {
  /** The call of the mutation. */
  readonly call: ProviderCallName
  /** Our payload in the provider's words; undefined if it is not a payload of this kind. */
  readonly findBody: (
    reference: string,
    payload: Readonly<Record<string, unknown>>,
    target: string,
  ) => object | undefined
  /** The search that proves the mutation, and the name of that read in the evidence. */
  readonly search: ProviderCallName
  readonly read: string
  /** The proof is a record of that collection, or an action on such a record. */
  readonly proof: 'record' | 'action'
  /** The final state of the named resource that only this kind leads to. */
  readonly absorbing?: string
  /** Facts about the resource; undefined if the record lacks them, which breaks the provider's interface. */
  readonly findFacts?: (record: ProviderRecord) => ResourceFacts | undefined
  /** The provider's name for its approval, if a person may have to approve the kind. */
  readonly approval?: 'grant' | 'transfer'
}

const rows: { readonly [K in OperationKind]: KindRow } = {
  beneficiary_create: beneficiaryCreate,
  card_close: cardClose,
  card_create: cardCreate,
  card_freeze: cardFreeze,
  card_unfreeze: cardUnfreeze,
  mandate_create: mandateCreate,
  mandate_revoke: mandateRevoke,
  mandate_suspend: mandateSuspend,
  mandate_transfer: mandateTransfer,
  transfer,
  transfer_grant_revoke: transferGrantRevoke,
}

const byKind: ReadonlyMap<OperationKind, KindRow> = new Map(
  (Object.keys(rows) as OperationKind[]).map((kind) => [kind, rows[kind]]),
)

export function findRow(kind: OperationKind): KindRow | undefined {
  return byKind.get(kind)
}
