/** Reads of beneficiaries that show none as pending whose operation has its outcome. */

import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import type { Position } from '@financial-agents/contract/cursor'
import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import { readSettled } from '@financial-agents/writes/read-settled'
import { findBeneficiary, listBeneficiaries } from './beneficiary-store.ts'
import type { ReadingDependencies } from './dependencies.ts'

/** As `findBeneficiary`. */
export function findSettledBeneficiary(
  dependencies: ReadingDependencies,
  ownerId: string,
  id: string,
): Promise<KnownBeneficiary | undefined> {
  return readSettled(
    dependencies,
    () => findBeneficiary(dependencies.db, ownerId, id),
    (found) => pendingOf(found ? [found] : []),
  )
}

/** As `listBeneficiaries`. */
export function listSettledBeneficiaries(
  dependencies: ReadingDependencies,
  ownerId: string,
  limit: number,
  after: Position | undefined,
): Promise<Beneficiary[]> {
  return readSettled(dependencies, () => listBeneficiaries(dependencies.db, ownerId, limit, after), pendingOf)
}

function pendingOf(found: readonly Beneficiary[]): string[] {
  return found.filter(({ state }) => state === 'pending').map(({ operation_id }) => operation_id)
}
