/**
 * The changes of a binding: it is connected, its credentials and name are replaced, it ends. Each change runs in the
 * caller's transaction. A change that other services must know also writes its row in the outbox.
 *
 * Invariant: a binding that ended never comes back. Connecting again makes a new one.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { recordAnnouncement } from './announcements-store.ts'
import { type BindingEvent, type BindingStatus, findNextStatus } from './binding-machine.ts'
import { recordKycWish } from './kyc-store.ts'

export type BindingSource = 'declared' | 'sign_in'

export type LivingBinding = {
  id: string
  owner_id: string
  provider: string
  display_name: string | null
  status: Exclude<BindingStatus, 'disconnected'>
  source: BindingSource
  credentials_sealed: Buffer
}

/** A transaction that changes bindings, and its time. */
export type Changing = { tx: Queryable; sealer: Sealer; now: Date }

const insert = statement(
  'onboarding_connect',
  `INSERT INTO bindings (id, owner_id, provider, display_name, status, source, credentials_sealed, connected_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
)

export type NewBinding = {
  owner_id: string
  provider: string
  display_name: string | null
  source: BindingSource
  credentials: string
}

export async function connectBinding({ tx, sealer, now }: Changing, binding: NewBinding): Promise<string> {
  const id = randomUUIDv7()
  const { owner_id, provider, display_name, source, credentials } = binding
  const sealed = sealer.seal(Buffer.from(credentials), id)
  const status = findNextStatus(null, 'connect')
  await tx.rows(insert, [id, owner_id, provider, display_name, status, source, sealed, now])
  await recordAnnouncement(tx, { owner_id, binding_id: id }, false, now)
  await recordKycWish(tx, owner_id, now)
  return id
}

const replace = statement(
  'onboarding_update',
  'UPDATE bindings SET display_name = $2, source = $3, credentials_sealed = $4, updated_at = $5 WHERE id = $1',
)

/**
 * Replaces credentials and name in place. A service that has read the former credentials uses them for at most 30 s more,
 * or until the provider refuses them.
 */
export async function replaceBinding(
  { tx, sealer, now }: Changing,
  row: LivingBinding,
  to: Pick<NewBinding, 'display_name' | 'source' | 'credentials'>,
): Promise<void> {
  const sealed = sealer.seal(Buffer.from(to.credentials), row.id)
  await tx.rows(replace, [row.id, to.display_name, to.source, sealed, now])
}

// The statements that follow take the same lock, but it must be taken before any row lock: `apply-bindings` locks the
// table first, then rows.
const lock = statement('onboarding_lock_bindings', 'LOCK TABLE bindings IN ROW EXCLUSIVE MODE')

/** Call this before the transaction locks its first row. */
export async function lockBindings(tx: Queryable): Promise<void> {
  await tx.rows(lock)
}

/** A binding that the current transaction has locked in order to move it. */
export type MovingBinding = { id: string; owner_id: string; status: BindingStatus; pending_operation_id: string | null }

export const lockByIds = statement(
  'onboarding_bindings_locked',
  `SELECT id, owner_id, status, pending_operation_id FROM bindings WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
)

/** Locks the bindings in the order of their ids, until the transaction ends. */
export async function findBindingsLocked(tx: Queryable, ids: readonly string[]): Promise<Map<string, MovingBinding>> {
  const rows = await tx.rows<MovingBinding>(lockByIds, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}

const move = statement(
  'onboarding_move',
  `UPDATE bindings SET status = $2, pending_operation_id = $3, updated_at = $4,
     disconnecting_at = CASE WHEN $5::boolean THEN coalesce(disconnecting_at, $4) ELSE disconnecting_at END,
     disconnected_at = CASE WHEN $2 = 'disconnected' THEN coalesce(disconnected_at, $4) END
   WHERE id = $1`,
)

/**
 * Writes the status that the event leads to, if any, and the operation that the binding is now busy with. A binding
 * that leaves `connected` is announced and fenced. `disconnecting_at` records that the owner ended the binding: no file
 * connects that owner again.
 */
export async function moveBinding(
  { tx, now }: Omit<Changing, 'sealer'>,
  row: MovingBinding,
  event: BindingEvent | null,
  pendingOperationId: string | null,
): Promise<void> {
  const was = row.status
  row.status = (event && findNextStatus(was, event)) ?? was
  row.pending_operation_id = pendingOperationId
  await tx.rows(move, [row.id, row.status, pendingOperationId, now, event !== null && event !== 'registered_away'])
  if (was === 'connected' && row.status !== was)
    await recordAnnouncement(tx, { owner_id: row.owner_id, binding_id: row.id }, true, now)
}

export const lockConnected = statement(
  'onboarding_connected_locked',
  `SELECT id, owner_id, status, pending_operation_id FROM bindings WHERE owner_id = $1 AND status = 'connected' FOR UPDATE`,
)

/** Ends the owner's connected binding, if there is one. A revoke that was already drafted continues. */
export async function endRegistered(changing: Omit<Changing, 'sealer'>, ownerId: string): Promise<void> {
  const [row] = await changing.tx.rows<MovingBinding>(lockConnected, [ownerId])
  if (row) await moveBinding(changing, row, 'registered_away', row.pending_operation_id)
}

/**
 * Returns undefined if the credentials were sealed under a key that is gone. The caller then seals them again, as for
 * any change.
 */
export function findOpened(sealer: Sealer, row: LivingBinding): string | undefined {
  try {
    return sealer.open(row.credentials_sealed, row.id).toString()
  } catch {
    return undefined
  }
}
