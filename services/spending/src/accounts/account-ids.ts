/**
 * Our identifiers of the provider's accounts, made when an account is first seen.
 *
 * Invariant: an owner and a reference have one identifier for ever, whichever processes saw the account first.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'

export type AccountIds = {
  /** The identifier of each reference. @throws Unavailable */
  getIds(ownerId: string, references: readonly string[]): Promise<ReadonlyMap<string, string>>
}

type Row = { reference: string; id: string }

export const findKnown = statement(
  'accounts_known',
  'SELECT reference, id FROM accounts WHERE owner_id = $1 AND reference = ANY($2::text[])',
)

export const insertNew = statement(
  'accounts_insert',
  // In order: of two processes that see the same accounts first, one waits and neither waits in a circle.
  `INSERT INTO accounts (owner_id, reference, id, first_seen_at)
   SELECT $1, reference, id, $4 FROM unnest($2::text[], $3::uuid[]) AS seen(reference, id) ORDER BY reference
   ON CONFLICT (owner_id, reference) DO NOTHING`,
)

/** `maxKept` bounds what is kept in memory; the oldest goes first. */
export function createAccountIds(options: { db: Queryable; clock: Clock; maxKept: number }): AccountIds {
  const { db, clock, maxKept } = options
  const kept = new Map<string, string>()

  async function read(ownerId: string, references: readonly string[], ids: Map<string, string>): Promise<string[]> {
    const rows = await db.rows<Row>(findKnown, [ownerId, references])
    for (const { reference, id } of rows) {
      ids.set(reference, id)
      kept.set(keyOf(ownerId, reference), id)
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break
      kept.delete(oldest)
    }
    return references.filter((reference) => !ids.has(reference))
  }

  return {
    getIds: async (ownerId, references) => {
      const ids = new Map<string, string>()
      for (const reference of references) {
        const id = kept.get(keyOf(ownerId, reference))
        if (id !== undefined) ids.set(reference, id)
      }
      const unread = references.filter((reference) => !ids.has(reference))
      const unknown = unread.length === 0 ? unread : await read(ownerId, unread, ids)
      if (unknown.length === 0) return ids
      const made = unknown.map(() => randomUUIDv7())
      await db.rows(insertNew, [ownerId, unknown, made, clock.now()])
      const missing = await read(ownerId, unknown, ids)
      if (missing.length > 0) throw new Error('accounts that were inserted are not there')
      return ids
    },
  }
}

function keyOf(ownerId: string, reference: string): string {
  return JSON.stringify([ownerId, reference])
}
