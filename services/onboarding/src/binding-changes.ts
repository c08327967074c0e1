/**
 * What may happen to a binding: it is connected, its credentials and name are replaced, it ends. Each in the transaction
 * of whoever decided it, and each that others must know together with its row in the outbox.
 *
 * Invariant: a binding that ended never comes back; connecting again makes a new one.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { recordAnnouncement } from './announcements-store.ts'

export type BindingSource = 'declared' | 'sign_in'

export type LivingBinding = {
  id: string
  owner_id: string
  provider: string
  display_name: string | null
  status: 'connected' | 'disconnecting'
  source: BindingSource
  credentials_sealed: Buffer
}

/** A transaction that changes bindings, at its time. */
export type Changing = { tx: Queryable; sealer: Sealer; now: Date }

const insert = statement(
  'onboarding_connect',
  `INSERT INTO bindings (id, owner_id, provider, display_name, status, source, credentials_sealed, connected_at, updated_at)
   VALUES ($1, $2, $3, $4, 'connected', $5, $6, $7, $7)`,
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
  await tx.rows(insert, [id, owner_id, provider, display_name, source, sealer.seal(Buffer.from(credentials), id), now])
  await recordAnnouncement(tx, { owner_id, binding_id: id }, false, now)
  return id
}

const replace = statement(
  'onboarding_update',
  'UPDATE bindings SET display_name = $2, source = $3, credentials_sealed = $4, updated_at = $5 WHERE id = $1',
)

/** In place: nobody but the next call to the provider notices. */
export async function replaceBinding(
  { tx, sealer, now }: Changing,
  row: LivingBinding,
  to: Pick<NewBinding, 'display_name' | 'source' | 'credentials'>,
): Promise<void> {
  const sealed = sealer.seal(Buffer.from(to.credentials), row.id)
  await tx.rows(replace, [row.id, to.display_name, to.source, sealed, now])
}

const end = statement(
  'onboarding_disconnect',
  `UPDATE bindings SET status = 'disconnected', disconnected_at = $2, updated_at = $2
   WHERE owner_id = $1 AND status = 'connected' RETURNING id`,
)

/** Ends what the owner has connected, if anything; a connection that is already ending goes its own way. */
export async function disconnectOwner({ tx, now }: Omit<Changing, 'sealer'>, ownerId: string): Promise<boolean> {
  const [row] = await tx.rows<{ id: string }>(end, [ownerId, now])
  if (row) await recordAnnouncement(tx, { owner_id: ownerId, binding_id: row.id }, true, now)
  return row !== undefined
}

/** Undefined where they were sealed under a key that is gone: to be sealed again, like any other change. */
export function findOpened(sealer: Sealer, row: LivingBinding): string | undefined {
  try {
    return sealer.open(row.credentials_sealed, row.id).toString()
  } catch {
    return undefined
  }
}
