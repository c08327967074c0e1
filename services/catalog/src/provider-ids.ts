/**
 * Ids of ours for what the provider keeps, given on first sight and kept for as long as the owner is: what a client has
 * noted goes on naming the same. Invariant: two replicas that see a reference first at the same time show the same id.
 */

import { randomUUIDv7 } from 'node:crypto'
import { type Queryable, statement } from '@financial-agents/postgres/database'

export type Kind = 'service' | 'purchase' | 'quote'

/** Owner of what is the same for everybody. */
export const everybody = 'public'

export const knownIds = statement(
  'provider_ids_known',
  `SELECT reference, id FROM provider_ids WHERE owner_id = $1 AND kind = $2 AND reference = ANY ($3)`,
)

// A quote that was asked for here has its id already.
export const newIds = statement(
  'provider_ids_new',
  `INSERT INTO provider_ids (owner_id, kind, reference, id)
   SELECT $1::text, $2::text, given.reference, coalesce(
     CASE WHEN $2::text = 'quote' THEN
       (SELECT q.id FROM purchase_quotes q WHERE q.owner_id = $1 AND q.provider_reference = given.reference
        ORDER BY q.id LIMIT 1) END,
     given.id)
   FROM unnest($3::text[], $4::uuid[]) AS given (reference, id)
   ON CONFLICT DO NOTHING`,
)

/** The id of each of `references`. */
export async function getIds(
  db: Queryable,
  ownerId: string,
  kind: Kind,
  references: readonly string[],
): Promise<(reference: string) => string> {
  const wanted = [...new Set(references)]
  const read = async () => {
    const rows = await db.rows<{ reference: string; id: string }>(knownIds, [ownerId, kind, wanted])
    return new Map(rows.map(({ reference, id }) => [reference, id]))
  }
  let known = await read()
  const missing = wanted.filter((reference) => !known.has(reference))
  if (missing.length > 0) {
    await db.rows(newIds, [ownerId, kind, missing, missing.map(() => randomUUIDv7())])
    known = await read()
  }
  return (reference) => {
    const id = known.get(reference)
    if (id === undefined) throw new Error(`a ${kind} without an id`)
    return id
  }
}
