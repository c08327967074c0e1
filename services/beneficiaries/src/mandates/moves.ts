/**
 * Moves mandates with their operations, by the machine's table. If the new state requires a fence, the same transaction
 * records that it must be raised. No move lowers a fence. Runs under the lock of `lockMandates`.
 *
 * Invariant (write protocol, rule 14): a suspension or revocation that the row does not wait for is ignored.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { eventsOfMove } from '@financial-agents/writes/events-of-move'
import type { Move } from '@financial-agents/writes/write'
import { recordFencesWanted } from './fence-store.ts'
import { lockRows } from './lock.ts'
import { apply, isFenced, type StoredState } from './machine.ts'

type Action = 'create' | 'suspend' | 'revoke'

type Moved = {
  id: string
  state: StoredState
  suspend_operation_id: string | null
  revoke_operation_id: string | null
  upstream_reference: string | null
  at: string | null
}

export const readStates = statement(
  'mandates_states',
  'SELECT id, state, suspend_operation_id, revoke_operation_id FROM mandates WHERE id = ANY ($1::uuid[])',
)

export const writeStates = statement(
  'mandates_move',
  `UPDATE mandates m SET state = r.state, suspend_operation_id = r.suspend_operation_id,
     revoke_operation_id = r.revoke_operation_id, updated_at = greatest(m.updated_at, r.at),
     upstream_reference = coalesce(r.upstream_reference, m.upstream_reference)
   FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, state text, suspend_operation_id uuid,
     revoke_operation_id uuid, upstream_reference text, at timestamptz)
   WHERE m.id = r.id`,
)

export async function followMandates(tx: Queryable, action: Action, moves: readonly Move[]): Promise<void> {
  const living = moves.filter(({ to }) => to !== 'gone')
  if (living.length === 0) return
  const rows = await tx.rows<Moved>(readStates, [living.map(({ resource_id }) => resource_id)])
  const before = new Map(rows.map((row) => [row.id, row]))
  const after = new Map<string, Moved>()
  for (const move of living) {
    const row = after.get(move.resource_id) ?? before.get(move.resource_id)
    const moved = row && moveOne(row, action, move)
    if (moved) after.set(moved.id, moved)
  }
  if (after.size === 0) return
  await tx.rows(writeStates, [JSON.stringify([...after.values()])])
  const ending = [...after.values()].filter(
    ({ id, state }) => isFenced(state) && !isFenced(before.get(id)?.state as StoredState),
  )
  await recordFencesWanted(
    tx,
    ending.map(({ id }) => id),
    `mandate_${action}`,
  )
}

/**
 * Suspends a mandate whose suspension or revocation the database has lost, if it took the mandate for active. Its owner can
 * revoke it from there. Returns true if it did.
 */
export async function repeatEndOf(tx: Queryable, id: string, now: Date): Promise<boolean> {
  await tx.rows(lockRows, [[id], []])
  const [row] = await tx.rows<Moved>(readStates, [[id]])
  const state = row && apply(row.state, 'end_repeated')
  if (!state) return false
  await tx.rows(writeStates, [JSON.stringify([{ ...row, state, at: now, upstream_reference: null }])])
  await recordFencesWanted(tx, [id], 'mandate_end_repeated')
  return true
}

/** Returns undefined if the row waits for another operation. */
function moveOne(row: Moved, action: Action, move: Move): Moved | undefined {
  const waiting = action === 'create' ? undefined : (`${action}_operation_id` as const)
  if (waiting && row[waiting] !== null && row[waiting] !== move.operation_id) return undefined
  const moved = { ...row, at: null as string | null, upstream_reference: null as string | null }
  if (waiting) moved[waiting] = move.to === 'accepted' ? move.operation_id : null
  else moved.upstream_reference = move.upstream_reference
  for (const event of eventsOfMove(action, move)) {
    const to = apply(moved.state, event)
    if (to === undefined) continue
    if (event !== 'create_accepted') moved.at = move.at
    moved.state = to
  }
  return moved
}
