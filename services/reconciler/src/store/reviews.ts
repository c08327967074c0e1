/**
 * Lists operations under review: reads alone do not prove what became of them, and none has settled them. Ids are generated in
 * the order of time, so the list is ordered by id, and an id tells when its operation was made.
 */

import type { Review, ReviewsRequest } from '@financial-agents/bus/messages/operator'
import { type Database, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

/** Keeps an answer well below the size limit of a message. */
const maxReviews = 500

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const underReview = 'review AND settled_at IS NULL'

export const newestReviews = statement(
  'reviews_newest',
  `SELECT operation_id, review_reason AS reason FROM reconciliations
   WHERE ${underReview} AND operation_id < $1 ORDER BY operation_id DESC LIMIT $2`,
)

export const namedReviews = statement(
  'reviews_named',
  `SELECT one.* FROM unnest($3::uuid[]) AS item (id)
   CROSS JOIN LATERAL (SELECT operation_id, review_reason AS reason FROM reconciliations
     WHERE operation_id = item.id AND ${underReview} LIMIT 1) one
   WHERE operation_id < $1 ORDER BY operation_id DESC LIMIT $2`,
)

/** Newest operation first, starting after `after`; restricted to `operation_ids` if they are given. */
export async function listReviews(database: Database, request: ReviewsRequest): Promise<Review[]> {
  const { after, limit, operation_ids } = request
  if (after && !isUuid(after.id)) return []
  const values: unknown[] = [after?.id ?? lastId, Math.min(limit, maxReviews)]
  if (operation_ids) values.push([...new Set(operation_ids.filter(isUuid))])
  const rows = await database.rows<Omit<Review, 'created_at'>>(operation_ids ? namedReviews : newestReviews, values)
  return rows.map((row) => ({ ...row, created_at: madeAt(row.operation_id) }))
}

/** The time in a UUIDv7 (RFC 9562): its first 48 bits are Unix milliseconds. */
function madeAt(id: string): string {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString()
}
