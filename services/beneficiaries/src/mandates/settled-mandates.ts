/** Reads of mandates that show none as pending whose operation has its outcome. */

import type { Position } from '@financial-agents/contract/cursor'
import { readSettled } from '@financial-agents/writes/read-settled'
import type { ReadingParts } from '../parts.ts'
import { findMandate, listMandates, listRunning, type MandateRow } from './store.ts'

type Seer = Parameters<typeof findMandate>[1]

/** As `findMandate`. */
export function findSettledMandate(
  parts: ReadingParts,
  seer: Seer,
  id: string,
  now: Date,
): Promise<MandateRow | undefined> {
  return readSettled(
    parts,
    () => findMandate(parts.db, seer, id, now),
    (row) => pendingOf(row ? [row] : []),
  )
}

/** As `listMandates`. */
export function listSettledMandates(
  parts: ReadingParts,
  seer: Seer,
  limit: number,
  after: Position | undefined,
  now: Date,
): Promise<MandateRow[]> {
  return readSettled(parts, () => listMandates(parts.db, seer, limit, after, now), pendingOf)
}

/** As `listRunning`. */
export function listSettledRunning(
  parts: ReadingParts,
  ownerId: string,
  after: Position | null,
  limit: number,
  now: Date,
): Promise<MandateRow[]> {
  return readSettled(parts, () => listRunning(parts.db, ownerId, after, limit, now), pendingOf)
}

function pendingOf(rows: readonly MandateRow[]): string[] {
  return rows.flatMap(({ state, operation_id, suspend_operation_id, revoke_operation_id }) => {
    if (state === 'pending') return operation_id
    if (state === 'suspending') return suspend_operation_id ?? []
    return state === 'revoking' ? (revoke_operation_id ?? []) : []
  })
}
