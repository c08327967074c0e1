/**
 * Makes the bindings be what is declared, in one transaction under one lock: connects, reconnects after a change of
 * provider, replaces credentials and names, disconnects what is no longer declared. Applying the same twice changes
 * nothing the second time.
 *
 * Invariant: a change that others must know and its row in the outbox commit together.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { recordAnnouncement } from './announcements-store.ts'
import type { DeclaredBinding } from './bindings-file.ts'

export type Change = {
  owner_id: string
  change: 'connected' | 'updated' | 'unchanged' | 'disconnected' | 'disconnecting'
}

type Row = {
  id: string
  owner_id: string
  provider: string
  display_name: string | null
  status: 'connected' | 'disconnecting'
  credentials_sealed: Buffer
}

type Applying = { tx: Queryable; sealer: Sealer; now: Date }

// Conflicts with itself and with every write of bindings, not with reads.
const lock = statement('onboarding_apply_lock', 'LOCK TABLE bindings IN SHARE ROW EXCLUSIVE MODE')

const living = statement(
  'onboarding_living_bindings',
  `SELECT id, owner_id, provider, display_name, status, credentials_sealed FROM bindings
   WHERE status <> 'disconnected' ORDER BY owner_id, status`,
)

export async function applyBindings(
  parts: { db: Database; sealer: Sealer; clock: Clock },
  declared: readonly DeclaredBinding[],
): Promise<Change[]> {
  const changes = await parts.db.transaction(async (tx) => {
    await tx.rows(lock)
    const applying = { tx, sealer: parts.sealer, now: parts.clock.now() }
    const current = new Map<string, Row>()
    // Ordered so that the connected binding is met before one that is still disconnecting.
    for (const row of await tx.rows<Row>(living)) if (!current.has(row.owner_id)) current.set(row.owner_id, row)
    const changes: Change[] = []
    for (const entry of declared) changes.push(await applyEntry(applying, entry, current.get(entry.owner_id)))
    const wanted = new Set(declared.map((entry) => entry.owner_id))
    for (const row of current.values()) {
      if (wanted.has(row.owner_id) || row.status !== 'connected') continue
      await disconnect(applying, row)
      changes.push({ owner_id: row.owner_id, change: 'disconnected' })
    }
    failpoint('apply.before_commit')
    return changes
  })
  failpoint('apply.after_commit')
  return changes
}

async function applyEntry(applying: Applying, entry: DeclaredBinding, row: Row | undefined): Promise<Change> {
  const { owner_id } = entry
  // The owner asked for it and the provider is being told: the file does not overrule that.
  if (row?.status === 'disconnecting') return { owner_id, change: 'disconnecting' }
  if (row && row.provider !== entry.provider) await disconnect(applying, row)
  if (!row || row.provider !== entry.provider) {
    await connect(applying, entry)
    return { owner_id, change: 'connected' }
  }
  if (row.display_name === entry.display_name && findOpened(applying.sealer, row) === entry.credentials)
    return { owner_id, change: 'unchanged' }
  await update(applying, row, entry)
  return { owner_id, change: 'updated' }
}

const insert = statement(
  'onboarding_connect',
  `INSERT INTO bindings (id, owner_id, provider, display_name, status, credentials_sealed, connected_at, updated_at)
   VALUES ($1, $2, $3, $4, 'connected', $5, $6, $6)`,
)

async function connect({ tx, sealer, now }: Applying, entry: DeclaredBinding): Promise<void> {
  const id = randomUUIDv7()
  const sealed = sealer.seal(Buffer.from(entry.credentials), id)
  await tx.rows(insert, [id, entry.owner_id, entry.provider, entry.display_name, sealed, now])
  await recordAnnouncement(tx, { owner_id: entry.owner_id, binding_id: id }, false, now)
}

const replace = statement(
  'onboarding_update',
  'UPDATE bindings SET display_name = $2, credentials_sealed = $3, updated_at = $4 WHERE id = $1',
)

async function update({ tx, sealer, now }: Applying, row: Row, entry: DeclaredBinding): Promise<void> {
  await tx.rows(replace, [row.id, entry.display_name, sealer.seal(Buffer.from(entry.credentials), row.id), now])
}

const end = statement(
  'onboarding_disconnect',
  `UPDATE bindings SET status = 'disconnected', disconnected_at = $2, updated_at = $2 WHERE id = $1`,
)

async function disconnect({ tx, now }: Applying, row: Row): Promise<void> {
  await tx.rows(end, [row.id, now])
  await recordAnnouncement(tx, { owner_id: row.owner_id, binding_id: row.id }, true, now)
}

/** Sealed under a key that is gone: to be sealed again, like any other change. */
function findOpened(sealer: Sealer, row: Row): string | undefined {
  try {
    return sealer.open(row.credentials_sealed, row.id).toString()
  } catch {
    return undefined
  }
}
