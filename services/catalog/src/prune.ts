/**
 * Deletes purchase quotes some time after they expired, in batches. A purchase shows the id of its stored quote if the
 * purchase is first read before the quote is deleted.
 */

import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { pruneQuotes } from './quote-store.ts'

const batch = 500
export const keptAfterExpiryMs = 30 * 86_400_000

export function startPruning(dependencies: { db: Queryable; log: Log; clock: Clock; pauseMs: number }): Repeating {
  const { db, log, clock, pauseMs } = dependencies
  const work = async () => (await pruneQuotes(db, new Date(clock.nowMs() - keptAfterExpiryMs), batch)) === batch
  return repeat({ name: 'prune_quotes', pauseMs, log, work })
}
