/** Reads of mandates that show none as pending whose operation has its outcome. */

import type { Position } from '@financial-agents/contract/cursor'
import { readSettled } from '@financial-agents/writes/read-settled'
import type { ReadingDependencies } from '../dependencies.ts'
import { findMandate, listMandates, listRunning, type MandateRow } from './store.ts'

type Seer = Parameters<typeof findMandate>[1]

/** As `findMandate`. */
export function findSettledMandate(
  dependencies: ReadingDependencies,
  seer: Seer,
  id: string,
  now: Date,
): Promise<MandateRow | undefined> {
  return readSettled(
    dependencies,
    () => findMandate(dependencies.db, seer, id, now),
    (row) => pendingOf(row ? [row] : []),
  )
}

/** As `listMandates`. */
export function listSettledMandates(
  dependencies: ReadingDependencies,
  seer: Seer,
  limit: number,
  after: Position | undefined,
  now: Date,
): Promise<MandateRow[]> {
  return readSettled(dependencies, () => listMandates(dependencies.db, seer, limit, after, now), pendingOf)
}

/** As `listRunning`. */
export function listSettledRunning(
  dependencies: ReadingDependencies,
  ownerId: string,
  after: Position | null,
  limit: number,
  now: Date,
): Promise<MandateRow[]> {
  return readSettled(dependencies, () => listRunning(dependencies.db, ownerId, after, limit, now), pendingOf)
}

function pendingOf(rows: readonly MandateRow[]): string[] {
  return rows.flatMap(({ state, operation_id, suspend_operation_id, revoke_operation_id }) => {
    if (state === 'pending') return operation_id
    if (state === 'suspending') return suspend_operation_id ?? []
    return state === 'revoking' ? (revoke_operation_id ?? []) : []
  })
}
