/**
 * The provider's answers to submissions, by kind. They are read from the moves that the submitter made in a stretch of
 * time. History is stored in the order of time, so the cost depends on this stretch alone.
 */

import type { SubmissionHealth, SubmissionHealthRequest } from '@financial-agents/bus/messages/operator'
import { type Queryable, statement } from '@financial-agents/postgres/database'

const mostMs = 25 * 3_600_000

// A claim that arrived alone has its own row in history, directly before the row of the answer.
export const submissionHealth = statement(
  'submission_health',
  `SELECT o.kind, count(*) FILTER (WHERE h.event IN ('provider_accepted', 'provider_completed')) AS answered,
    count(*) FILTER (WHERE h.event = 'provider_refused') AS refused,
    count(*) FILTER (WHERE h.event IN ('outcome_unknown', 'lease_expired')) AS unknown,
    round(percentile_cont(0.5) WITHIN GROUP (ORDER BY took.ms))::integer AS median_ms,
    round(percentile_cont(0.95) WITHIN GROUP (ORDER BY took.ms))::integer AS slow_ms
  FROM history h
  CROSS JOIN LATERAL (SELECT kind FROM operations WHERE id = h.operation_id LIMIT 1) o
  CROSS JOIN LATERAL (SELECT CASE WHEN h.event = 'lease_expired' THEN NULL ELSE least(2000000000, greatest(0,
      extract(epoch FROM h.at - coalesce(h.claimed_at, (SELECT claim.at FROM history claim
        WHERE claim.operation_id = h.operation_id AND claim.sequence = h.sequence - 1 AND claim.event = 'claim'))) * 1000)) END AS ms) took
  WHERE h.at >= $1::timestamptz AND h.at < $2::timestamptz AND h.from_state = 'submitting'
  GROUP BY o.kind ORDER BY o.kind`,
)

/** Reads at most the last 25 hours of the stretch. */
export function readSubmissionHealth(
  db: Queryable,
  { since, until }: SubmissionHealthRequest,
): Promise<SubmissionHealth[]> {
  const earliest = new Date(Math.max(Date.parse(since), Date.parse(until) - mostMs)).toISOString()
  return db.rows<SubmissionHealth>(submissionHealth, [earliest, until])
}
