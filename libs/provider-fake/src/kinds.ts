/**
 * How each operation kind is said to the fake provider, one row a kind. A kind without a row is refused before
 * anything is sent. A new kind is a new row: where its mutation goes, how its payload is put, and which read proves it.
 */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { ResourceFacts } from '@financial-agents/provider/port'
import { beneficiaryCreate } from './beneficiaries.ts'
import { cardClose, cardCreate, cardFreeze, cardUnfreeze } from './cards.ts'
import { transferGrantRevoke } from './connection.ts'
import { mandateCreate, mandateRevoke, mandateSuspend } from './mandates.ts'
import type { ProviderRecord } from './records.ts'
import { mandateTransfer, transfer } from './transfers.ts'

export type KindRow = {
  /** Where the mutation is posted; `target` is the provider's reference of what it names, '' where it names nothing. */
  readonly path: (target: string) => string
  /** The provider's words for our payload; undefined where the payload is not one of this kind. */
  readonly findBody: (
    reference: string,
    payload: Readonly<Record<string, unknown>>,
    target: string,
  ) => object | undefined
  /** The collection whose read proves it, and the name of that read as it stands in the evidence. */
  readonly collection: string
  readonly read: string
  /** Whether what proves it is a record of that collection, or an action on one. */
  readonly proof: 'record' | 'action'
  /** The state of what it names that nothing leaves, and that it alone leads to. */
  readonly absorbing?: string
  /** Facts for the resource; undefined where the record lacks them, which breaks the provider's interface. */
  readonly findFacts?: (record: ProviderRecord) => ResourceFacts | undefined
  /** What the provider calls it where a person may have to approve it. */
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
