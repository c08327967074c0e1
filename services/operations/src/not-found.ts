/**
 * The problem of an id without a row. An id from before the archive's horizon is not called unknown: its record may be in
 * the archive. The answer depends on the age of the id alone, so it tells nothing about the records of others.
 */

import { Problem } from '@financial-agents/contract/problem'
import { findArchivedIds } from '@financial-agents/postgres/archive/horizon'
import type { Queryable } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'

export async function notFound(
  { db, clock }: { db: Queryable; clock: Clock },
  id: string,
  code: 'operation_not_found' | 'transfer_not_found',
): Promise<Problem> {
  const isArchived = isUuid(id) && (await findArchivedIds(db, [id], clock.now())).size > 0
  return new Problem(isArchived ? 'record_archived' : code)
}
