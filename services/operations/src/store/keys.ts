/**
 * Idempotency records. A record is written with its operation in one transaction and removed only by age, so a record
 * always leads to an operation.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { pruneByAge } from '@financial-agents/postgres/prune'
import type { KeyIdentity, Offer } from '../offer.ts'
import { type ViewRow, viewColumns } from '../tables.ts'

/** The record of a key, with the live row of its operation and the offer that was accepted. */
export type KeyRow = ViewRow & { request_hash: string; expires_at: Date; offer_id: string | null }

// Lateral with a limit: always one index probe for each item, even while the tables have no statistics yet.
const lookUp = statement(
  'look_up_keys',
  `SELECT item.position, k.request_hash, k.expires_at, d.offer_id, ${viewColumns.map((name) => `o.${name}`).join(', ')}
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
    WITH ORDINALITY AS item (owner_id, client_id, key, route, position)
  CROSS JOIN LATERAL (SELECT * FROM idempotency_keys k
    WHERE k.owner_id = item.owner_id AND k.client_id = item.client_id AND k.key = item.key AND k.route = item.route
    LIMIT 1) k
  CROSS JOIN LATERAL (SELECT * FROM operations o WHERE o.id = k.operation_id LIMIT 1) o
  CROSS JOIN LATERAL (SELECT d.offer_id FROM decisions d WHERE d.operation_id = k.operation_id LIMIT 1) d`,
)

/** Reads the records of these keys, in a fresh snapshot. A key without a record is absent. */
export async function findKeys<Item extends KeyIdentity>(
  tx: Queryable,
  items: readonly Item[],
): Promise<Map<Item, KeyRow>> {
  if (items.length === 0) return new Map()
  const rows = await tx.rows<KeyRow & { position: number }>(lookUp, identities(items))
  return new Map(rows.map((row) => [items[row.position - 1] as Item, row]))
}

// Sorted, so that replicas that write the same keys wait for each other in one order.
const insert = statement(
  'insert_keys',
  `INSERT INTO idempotency_keys
    (owner_id, client_id, key, route, request_hash, operation_id, created_at, expires_at)
  SELECT item.*, $7::timestamptz, $8::timestamptz
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[])
    AS item (owner_id, client_id, key, route, request_hash, operation_id)
  ORDER BY owner_id, client_id, key, route
  ON CONFLICT DO NOTHING
  RETURNING operation_id`,
)

/** Writes the keys of these offers. Returns the offers whose own record was written. */
export async function recordKeys(
  tx: Queryable,
  offers: readonly Offer[],
  stamp: { now: Date; expiresAt: Date },
): Promise<Set<Offer>> {
  if (offers.length === 0) return new Set()
  const rows = await tx.rows<{ operation_id: string }>(insert, [
    ...identities(offers),
    offers.map((offer) => offer.request.request_hash),
    offers.map((offer) => offer.request.operation_id),
    stamp.now,
    stamp.expiresAt,
  ])
  const written = new Set(rows.map((row) => row.operation_id))
  return new Set(offers.filter((offer) => written.has(offer.request.operation_id)))
}

const idsOfKey = statement(
  'find_ids_of_key',
  'SELECT operation_id FROM idempotency_keys WHERE owner_id = $1 AND client_id = $2 AND key = $3',
)

/**
 * Lists the operations under a key on any route. It finds them within the window and after it, as long as the record
 * exists.
 */
export async function findIdsOfKey(
  db: Queryable,
  reader: { owner_id: string; client_id: string },
  key: string,
): Promise<string[]> {
  // PostgreSQL cannot store NUL, so no record has such a key.
  if (key.includes('\0')) return []
  const rows = await db.rows<{ operation_id: string }>(idsOfKey, [reader.owner_id, reader.client_id, key])
  return rows.map((row) => row.operation_id)
}

/** Removes records by the time at which they were written. */
export const pruneKeys = pruneByAge('idempotency_keys', 'created_at')

function identities(items: readonly KeyIdentity[]): string[][] {
  return [
    items.map((item) => item.owner_id),
    items.map((item) => item.client_id),
    items.map((item) => item.key),
    items.map((item) => item.route),
  ]
}
