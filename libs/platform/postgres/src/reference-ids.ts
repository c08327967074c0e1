/**
 * Our identifiers for objects that another party keeps under its own references. An identifier is made when its
 * reference is first seen.
 *
 * Invariant: an owner and a reference have the same identifier for ever, whichever process saw the reference first, and
 * in whatever order several references were seen.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type Queryable, type Statement, statement } from './database.ts'

/** The identifiers of one kind of object. */
export type ReferenceIds = {
  /**
   * Returns a function from each of `references` to its identifier; it throws for any other reference. The call runs at
   * most three statements for all new references, and none for references in memory.
   * @throws Unavailable
   */
  getIds(ownerId: string, references: readonly string[]): Promise<(reference: string) => string>
}

export type ReferenceId = { reference: string; id: string }

/** The table, the cache and the sources of identifiers. */
export type ReferenceIdsOptions = {
  db: Queryable
  clock: { now(): Date }
  /** The table's name. It has the columns of `referenceIdStatements` and the primary key (owner_id, reference). */
  table: string
  /** The bound of the cache in memory. The oldest entries are dropped first. */
  maxKept: number
  /**
   * Finds identifiers that references were given elsewhere before. These identifiers are stored instead of new ones.
   */
  findGiven?: (ownerId: string, references: readonly string[]) => Promise<readonly ReferenceId[]>
}

/**
 * The statements on `table` (owner_id text, reference text, id uuid, first_seen_at timestamptz), exported to test their
 * plans.
 */
export function referenceIdStatements(table: string): { known: Statement; insert: Statement } {
  return {
    known: statement(
      `${table}_known`,
      `SELECT reference, id FROM ${table} WHERE owner_id = $1 AND reference = ANY($2::text[])`,
    ),
    insert: statement(
      `${table}_insert`,
      // Sorted: if two processes insert the same references, one waits for the other, and they cannot deadlock.
      `INSERT INTO ${table} (owner_id, reference, id, first_seen_at)
       SELECT $1, reference, id, $4 FROM unnest($2::text[], $3::uuid[]) AS seen (reference, id) ORDER BY reference COLLATE "C"
       ON CONFLICT (owner_id, reference) DO NOTHING`,
    ),
  }
}

export function createReferenceIds(options: ReferenceIdsOptions): ReferenceIds {
  const { db, clock, table, findGiven } = options
  const { known, insert } = referenceIdStatements(table)
  const kept = createKept(options.maxKept)

  /** Reads known identifiers into `ids`, and returns the references that have none. */
  async function read(ownerId: string, references: readonly string[], ids: Map<string, string>): Promise<string[]> {
    if (references.length === 0) return []
    for (const { reference, id } of await db.rows<ReferenceId>(known, [ownerId, references])) {
      ids.set(reference, id)
      kept.add(ownerId, reference, id)
    }
    return references.filter((reference) => !ids.has(reference))
  }

  async function make(ownerId: string, references: readonly string[]): Promise<void> {
    const given = new Map((await findGiven?.(ownerId, references))?.map(({ reference, id }) => [reference, id]))
    const made = references.map((reference) => given.get(reference) ?? randomUUIDv7())
    await db.rows(insert, [ownerId, references, made, clock.now()])
  }

  return {
    getIds: async (ownerId, references) => {
      const wanted = [...new Set(references)]
      const ids = kept.find(ownerId, wanted)
      const unread = wanted.filter((reference) => !ids.has(reference))
      const unknown = await read(ownerId, unread, ids)
      if (unknown.length > 0) {
        await make(ownerId, unknown)
        await read(ownerId, unknown, ids)
      }
      return (reference) => {
        const id = ids.get(reference)
        if (id === undefined) throw new Error(`a reference without an identifier in ${table}`)
        return id
      }
    },
  }
}

function createKept(maxKept: number) {
  const kept = new Map<string, string>()
  const keyOf = (ownerId: string, reference: string) => JSON.stringify([ownerId, reference])
  return {
    find: (ownerId: string, references: readonly string[]) =>
      new Map(
        references.flatMap((reference): [string, string][] => {
          const id = kept.get(keyOf(ownerId, reference))
          return id === undefined ? [] : [[reference, id]]
        }),
      ),
    add: (ownerId: string, reference: string, id: string) => {
      kept.set(keyOf(ownerId, reference), id)
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept) break
        kept.delete(oldest)
      }
    },
  }
}
