/** Reads of beneficiaries that show none as pending whose operation has its outcome. */

import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import type { Position } from '@financial-agents/contract/cursor'
import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import { readSettled } from '@financial-agents/writes/read-settled'
import { findBeneficiary, listBeneficiaries } from './beneficiary-store.ts'
import type { ReadingParts } from './parts.ts'

/** As `findBeneficiary`. */
export function findSettledBeneficiary(
  parts: ReadingParts,
  ownerId: string,
  id: string,
): Promise<KnownBeneficiary | undefined> {
  return readSettled(
    parts,
    () => findBeneficiary(parts.db, ownerId, id),
    (found) => pendingOf(found ? [found] : []),
  )
}

/** As `listBeneficiaries`. */
export function listSettledBeneficiaries(
  parts: ReadingParts,
  ownerId: string,
  limit: number,
  after: Position | undefined,
): Promise<Beneficiary[]> {
  return readSettled(parts, () => listBeneficiaries(parts.db, ownerId, limit, after), pendingOf)
}

function pendingOf(found: readonly Beneficiary[]): string[] {
  return found.filter(({ state }) => state === 'pending').map(({ operation_id }) => operation_id)
}
