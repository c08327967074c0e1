/**
 * Identifiers of ours for what somebody else keeps under references of theirs, made on first sight.
 *
 * Invariant: an owner and a reference have one identifier for ever, whichever processes saw it first, and in whichever order
 * they saw several.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type Queryable, type Statement, statement } from './database.ts'

/** The identifiers of one kind of thing. */
export type ReferenceIds = {
  /**
   * What gives each of `references` its identifier: at most three statements for all that were not seen before, none for
   * those in memory. It throws for any other reference.
   * @throws Unavailable
   */
  getIds(ownerId: string, references: readonly string[]): Promise<(reference: string) => string>
}

/** A reference and its identifier. */
export type ReferenceId = { reference: string; id: string }

/** How identifiers are kept. */
export type ReferenceIdsOptions = {
  db: Queryable
  clock: { now(): Date }
  /** Its columns: those of `referenceIdStatements`; its primary key: owner_id, reference. */
  table: string
  /** Bounds what is kept in memory; the oldest goes first. */
  maxKept: number
  /** Identifiers that some were given elsewhere before: kept from their first sight here on, instead of new ones. */
  findGiven?: (ownerId: string, references: readonly string[]) => Promise<readonly ReferenceId[]>
}

/** The statements on `table` (owner_id text, reference text, id uuid, first_seen_at timestamptz), for tests of their plans. */
export function referenceIdStatements(table: string): { known: Statement; insert: Statement } {
  return {
    known: statement(
      `${table}_known`,
      `SELECT reference, id FROM ${table} WHERE owner_id = $1 AND reference = ANY($2::text[])`,
    ),
    insert: statement(
      `${table}_insert`,
      // In order: of two processes that see the same first, one waits, and neither waits in a circle.
      `INSERT INTO ${table} (owner_id, reference, id, first_seen_at)
       SELECT $1, reference, id, $4 FROM unnest($2::text[], $3::uuid[]) AS seen (reference, id) ORDER BY reference COLLATE "C"
       ON CONFLICT (owner_id, reference) DO NOTHING`,
    ),
  }
}

/** The identifiers that `table` keeps. */
export function createReferenceIds(options: ReferenceIdsOptions): ReferenceIds {
  const { db, clock, table, findGiven } = options
  const { known, insert } = referenceIdStatements(table)
  const kept = createKept(options.maxKept)

  /** Answers which are not there. */
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
