/**
 * The owner and client of each grant. Operators find the operations of a grant among those of its owner and client. A
 * grant is written with its first operation.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Offer } from '../offer.ts'

// Sorted, so that replicas that write the same grants wait for each other in one order.
const insert = statement(
  'insert_grants',
  `INSERT INTO grants (grant_id, owner_id, client_id)
  SELECT grant_id, owner_id, client_id FROM unnest($1::text[], $2::text[], $3::text[]) AS item (grant_id, owner_id, client_id)
  ORDER BY grant_id, owner_id, client_id
  ON CONFLICT DO NOTHING`,
)

/** Grants that committed transactions have written, at most about this many. */
export type KnownGrants = Set<string>
const maxKnown = 100_000

const nameOf = ({ owner_id, client_id, request }: Offer) =>
  JSON.stringify([request.principal.grant_id, owner_id, client_id])

export async function recordGrants(tx: Queryable, offers: readonly Offer[], known: KnownGrants): Promise<void> {
  const unknown = [...new Map(offers.map((offer) => [nameOf(offer), offer]))].filter(([name]) => !known.has(name))
  if (unknown.length === 0) return
  await tx.rows(insert, [
    unknown.map(([, { request }]) => request.principal.grant_id),
    unknown.map(([, { owner_id }]) => owner_id),
    unknown.map(([, { client_id }]) => client_id),
  ])
}

/** Notes the grants of offers that are accepted and committed. */
export function noteGrants(known: KnownGrants, offers: Iterable<Offer>): void {
  if (known.size > maxKnown) known.clear()
  for (const offer of offers) known.add(nameOf(offer))
}
