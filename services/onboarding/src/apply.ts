/**
 * Makes the bindings equal to the declared ones, in one transaction under one lock. It connects owners, reconnects them
 * after a change of provider, replaces credentials and names, records the owner of each customer, and disconnects
 * owners that the file no longer declares. Applying the same file twice changes nothing the second time.
 *
 * Invariants: a change that other services must know commits together with its row in the outbox. Only the owner can
 * reconnect after the owner has disconnected; the file never does.
 */

import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Sealer } from '@financial-agents/runtime/sealing'
import {
  type Changing,
  connectBinding,
  endRegistered,
  findOpened,
  type LivingBinding,
  replaceBinding,
} from './binding-changes.ts'
import type { RegisteredBinding } from './bindings-file.ts'
import { findOwnerOfCustomer, recordCustomer } from './customers-store.ts'

export type Change = {
  owner_id: string
  change: 'connected' | 'updated' | 'unchanged' | 'disconnected' | 'disconnecting' | 'disconnected by the owner'
}

// This mode conflicts with itself and with every write to bindings, but not with reads.
const lock = statement('onboarding_apply_lock', 'LOCK TABLE bindings IN SHARE ROW EXCLUSIVE MODE')

const living = statement(
  'onboarding_living_bindings',
  `SELECT id, owner_id, provider, display_name, status, source, credentials_sealed FROM bindings
   WHERE status <> 'disconnected' ORDER BY owner_id, status`,
)

const leftByOwner = statement(
  'onboarding_left_by_owner',
  `SELECT owner_id FROM (
     SELECT DISTINCT ON (owner_id) owner_id, status, disconnecting_at FROM bindings WHERE owner_id = ANY($1::uuid[])
     ORDER BY owner_id, connected_at DESC) latest
   WHERE status = 'disconnected' AND disconnecting_at IS NOT NULL`,
)

/** Returns the owners whose latest connection was ended by the owner. */
async function listLeftByOwner(tx: Queryable, declared: readonly RegisteredBinding[]): Promise<ReadonlySet<string>> {
  const owners = declared.map(({ owner_id }) => owner_id)
  return new Set((await tx.rows<{ owner_id: string }>(leftByOwner, [owners])).map(({ owner_id }) => owner_id))
}

export async function applyBindings(
  dependencies: { db: Database; sealer: Sealer; clock: Clock },
  declared: readonly RegisteredBinding[],
): Promise<Change[]> {
  const changes = await dependencies.db.transaction(async (tx) => {
    await tx.rows(lock)
    const changing = { tx, sealer: dependencies.sealer, now: dependencies.clock.now() }
    const current = new Map<string, LivingBinding>()
    // The rows are ordered, so that a connected binding comes before one that is still disconnecting.
    for (const row of await tx.rows<LivingBinding>(living))
      if (!current.has(row.owner_id)) current.set(row.owner_id, row)
    const changes: Change[] = []
    const left = await listLeftByOwner(tx, declared)
    for (const entry of declared) {
      const { owner_id } = entry
      changes.push(
        await applyEntry(changing, entry, current.get(owner_id) ?? (left.has(owner_id) ? 'left' : undefined)),
      )
    }
    const wanted = new Set(declared.map((entry) => entry.owner_id))
    for (const row of current.values()) {
      // The file does not end a connection that the owner made by signing in.
      if (wanted.has(row.owner_id) || row.status !== 'connected' || row.source !== 'declared') continue
      await endRegistered(changing, row.owner_id)
      changes.push({ owner_id: row.owner_id, change: 'disconnected' })
    }
    failpoint('apply.before_commit')
    return changes
  })
  failpoint('apply.after_commit')
  return changes
}

/** `known`: the owner's current binding, or `left` if the owner ended the latest one. */
async function applyEntry(
  changing: Changing,
  entry: RegisteredBinding,
  known: LivingBinding | 'left' | undefined,
): Promise<Change> {
  const { owner_id } = entry
  const recorded = await applyCustomer(changing, entry)
  if (known === 'left') return { owner_id, change: 'disconnected by the owner' }
  const row = known
  // The owner requested the disconnect and the provider is being notified. The file does not override that.
  if (row?.status === 'disconnecting') return { owner_id, change: 'disconnecting' }
  if (row && row.provider !== entry.provider) await endRegistered(changing, owner_id)
  if (!row || row.provider !== entry.provider) {
    await connectBinding(changing, { ...entry, source: 'declared' })
    return { owner_id, change: 'connected' }
  }
  if (isAsRegistered(changing, entry, row)) return { owner_id, change: recorded ? 'updated' : 'unchanged' }
  await replaceBinding(changing, row, { ...entry, source: 'declared' })
  return { owner_id, change: 'updated' }
}

function isAsRegistered({ sealer }: Changing, entry: RegisteredBinding, row: LivingBinding): boolean {
  const named = row.source === 'declared' && row.display_name === entry.display_name
  return named && findOpened(sealer, row) === entry.credentials
}

/** Returns true if the customer was not known before. */
async function applyCustomer({ tx, now }: Changing, entry: RegisteredBinding): Promise<boolean> {
  const { owner_id, provider, customer_reference: reference } = entry
  if (reference === null) return false
  if (await recordCustomer(tx, { provider, reference }, owner_id, now)) return true
  if ((await findOwnerOfCustomer(tx, { provider, reference })) === owner_id) return false
  throw new Error(
    `owner ${owner_id}: customer_reference: the customer has another owner already, or the owner another customer; neither ever changes`,
  )
}
