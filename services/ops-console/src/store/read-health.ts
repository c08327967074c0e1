/**
 * The reads of the provider by kind, summed over all processes in stretches of ten minutes, and the circuits of each process
 * as it last reported them.
 *
 * Invariant: a process that has not reported for three minutes is left out: it has ended, or nothing is known of it.
 */

import type { ReadHealthReport } from '@financial-agents/bus/messages/operator'
import { type Queryable, statement } from '@financial-agents/postgres/database'

const stretchMs = 600_000
const hourMs = 3_600_000
const dayMs = 86_400_000
/** The time after which a process that reports every minute is no longer counted. */
export const silentMs = 180_000

/** The reads of one kind. `provider` is empty for public reads. */
export type ReadSums = {
  provider: string
  read: string
  calls: number
  failed: number
  turned_away: number
  mean_ms: number | null
  most_ms: number
}

/** The circuits of one kind of read in all processes. `since`: the first that is not closed, or else the last that closed. */
export type CircuitSums = {
  provider: string
  read: string
  processes: number
  open: number
  half_open: number
  since: Date
}

export type ReadDay = Pick<ReadSums, 'calls' | 'failed' | 'turned_away' | 'mean_ms' | 'most_ms'> & { day: string }

export type ReadHealthView = {
  lastHour: ReadSums[]
  circuits: CircuitSums[]
  /** Oldest first. Days without a report are absent. */
  days: ReadDay[]
}

// Ordered, so that replicas that write the same stretch lock its rows in the same order.
export const addReads = statement(
  'provider_reads_add',
  `INSERT INTO provider_reads (at, provider, read, calls, failed, turned_away, total_ms, most_ms)
   SELECT $2::timestamptz, coalesce(provider, ''), read, calls, failed, turned_away, total_ms, most_ms
   FROM jsonb_to_recordset($1) AS one (provider text, read text, calls bigint, failed bigint, turned_away bigint,
     total_ms bigint, most_ms bigint)
   ORDER BY 2, 3
   ON CONFLICT (at, provider, read) DO UPDATE SET calls = provider_reads.calls + EXCLUDED.calls,
     failed = provider_reads.failed + EXCLUDED.failed, turned_away = provider_reads.turned_away + EXCLUDED.turned_away,
     total_ms = provider_reads.total_ms + EXCLUDED.total_ms, most_ms = greatest(provider_reads.most_ms, EXCLUDED.most_ms)`,
)
export const keepCircuits = statement(
  'provider_circuits_keep',
  `INSERT INTO provider_circuits (reporter, provider, read, state, since, seen_at)
   SELECT $2::uuid, coalesce(provider, ''), read, state, since, $3::timestamptz
   FROM jsonb_to_recordset($1) AS one (provider text, read text, state text, since timestamptz)
   ORDER BY 2, 3
   ON CONFLICT (reporter, provider, read) DO UPDATE SET state = EXCLUDED.state, since = EXCLUDED.since,
     seen_at = EXCLUDED.seen_at`,
)

const sums = `sum(calls)::float8 AS calls, sum(failed)::float8 AS failed, sum(turned_away)::float8 AS turned_away,
  (sum(total_ms) / nullif(sum(calls), 0))::float8 AS mean_ms, max(most_ms)::float8 AS most_ms`
export const readsSince = statement(
  'provider_reads_since',
  `SELECT provider, read, ${sums} FROM provider_reads WHERE at >= $1::timestamptz GROUP BY provider, read ORDER BY provider, read`,
)
export const readsByDay = statement(
  'provider_reads_by_day',
  `SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, ${sums} FROM provider_reads WHERE at >= $1::timestamptz
   GROUP BY 1 ORDER BY 1`,
)
export const circuitsNow = statement(
  'provider_circuits_now',
  `SELECT provider, read, count(*)::float8 AS processes, count(*) FILTER (WHERE state = 'open')::float8 AS open,
     count(*) FILTER (WHERE state = 'half_open')::float8 AS half_open,
     coalesce(min(since) FILTER (WHERE state <> 'closed'), max(since)) AS since
   FROM provider_circuits WHERE seen_at > $1::timestamptz GROUP BY provider, read ORDER BY provider, read`,
)

export async function recordReadHealth(db: Queryable, report: ReadHealthReport, now: Date): Promise<void> {
  const { reporter, reads, circuits } = report
  const stretch = new Date(Math.floor(now.getTime() / stretchMs) * stretchMs)
  await db.rows(keepCircuits, [JSON.stringify(circuits), reporter, now])
  if (reads.length > 0) await db.rows(addReads, [JSON.stringify(reads), stretch])
}

/** Returns the time from which the last hour is counted: the beginning of the stretch that was current an hour ago. */
export function lastHourFrom(now: Date): Date {
  return new Date(Math.floor((now.getTime() - hourMs) / stretchMs) * stretchMs)
}

/** @param days the number of days (UTC), today included */
export async function readReadHealth(db: Queryable, days: number, now: Date): Promise<ReadHealthView> {
  const nowMs = now.getTime()
  const firstDay = new Date((Math.floor(nowMs / dayMs) - days + 1) * dayMs)
  return {
    lastHour: await db.rows<ReadSums>(readsSince, [lastHourFrom(now)]),
    circuits: await db.rows<CircuitSums>(circuitsNow, [new Date(nowMs - silentMs)]),
    days: await db.rows<ReadDay>(readsByDay, [firstDay]),
  }
}
