/**
 * One row for each operation kind that Increase executes: the request, what its object says about the operation, and the reads that
 * prove it. The other kinds of the adapter are executed by the system itself (`package.ts`).
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import { beneficiaryCreate } from './beneficiaries.ts'
import { cardClose, cardCreate, cardFreeze, cardUnfreeze } from './cards.ts'
import { type KindRow } from './kind-row.ts'
import { transfer } from './transfers.ts'

const rows: { readonly [K in OperationKind]?: KindRow } = {
  beneficiary_create: beneficiaryCreate,
  card_close: cardClose,
  card_create: cardCreate,
  card_freeze: cardFreeze,
  card_unfreeze: cardUnfreeze,
  transfer,
}

export function findRow(kind: OperationKind): KindRow | undefined {
  return rows[kind]
}
