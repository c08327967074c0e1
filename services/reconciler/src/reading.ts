/** Turns a decision into what is written: the row's next values, the evidence, the transition and the next read. */

import type { Evidence, OperationTransition } from '@financial-agents/bus/messages/events'
import { apply, isTerminal } from '@financial-agents/contract/machine'
import type { Reconciliation } from './reconciliation.ts'
import { pauseBeforeReadMs } from './schedule.ts'
import type { Reading } from './store/reads.ts'
import type { Decision } from './validate.ts'

/** The reading for a row whose credentials are missing. The provider was not asked, so the schedule does not advance. */
export function postponed(row: Reconciliation, now: Date): Reading {
  return { ...unmoved(row), next_read_at: nextReadAt(row.reads, now) }
}

export function toReading(
  row: Reconciliation,
  decision: Decision,
  now: Date,
  digest: (observed: string) => string,
): Reading {
  const reads = row.reads + 1
  const evidence = decision.evidence && toEvidence(decision.evidence, now, digest)
  const common = {
    ...unmoved(row),
    upstream_reference: decision.upstreamReference,
    reads,
    not_found: decision.notFound,
    shown: decision.shown,
    review_reason: decision.review,
    evidence,
    next_read_at: nextReadAt(reads, now, decision.provableInMs),
  }
  if (decision.event === null) return common
  const applied = apply(row.state, decision.event)
  if (!applied.ok || applied.by !== 'reconciler') throw new Error(`${decision.event} does not leave ${row.state}`)
  // The clocks of two processes may differ; an operation's times never fall.
  const at = new Date(Math.max(now.getTime(), row.updated_at.getTime())).toISOString()
  const settled = isTerminal(applied.to)
  const next_read_at = settled ? null : common.next_read_at
  const transition: OperationTransition = {
    operation_id: row.operation_id,
    kind: row.kind,
    resource_id: row.resource_id,
    owner_id: row.owner_id,
    subject: row.subject,
    client_id: row.client_id,
    grant_id: row.grant_id,
    binding_id: row.binding_id,
    sequence: row.sequence + 1,
    from: row.state,
    event: decision.event,
    to: applied.to,
    by: 'reconciler',
    at,
    failure_code: decision.failureCode,
    failure_detail: decision.failureDetail,
    upstream_reference: decision.upstreamReference ?? row.upstream_reference,
    target_reference: row.target_reference,
    resource: decision.resource,
    next_reconcile_at: next_read_at,
    reason: decision.review,
    evidence,
    traceparent: row.traceparent,
  }
  return { ...common, state: applied.to, updated_at: at, next_read_at, settled_at: settled ? at : null, transition }
}

function unmoved(row: Reconciliation): Reading {
  return {
    operation_id: row.operation_id,
    kind: row.kind,
    sequence: row.sequence,
    lock_token: row.lock_token,
    state: row.state,
    updated_at: row.updated_at.toISOString(),
    upstream_reference: null,
    reads: row.reads,
    not_found: row.not_found,
    shown: row.shown,
    next_read_at: null,
    review_reason: null,
    settled_at: null,
    evidence: null,
    transition: null,
  }
}

/** The schedule's next read, or an earlier one that can prove absence. */
function nextReadAt(reads: number, now: Date, provableInMs: number | null = null): string {
  const pauseMs = Math.min(pauseBeforeReadMs(reads, Math.random()), provableInMs ?? Number.POSITIVE_INFINITY)
  return new Date(now.getTime() + pauseMs).toISOString()
}

function toEvidence(
  evidence: NonNullable<Decision['evidence']>,
  now: Date,
  digest: (observed: string) => string,
): Evidence {
  const { read, result, observed } = evidence
  return { read, result, observed_at: now.toISOString(), digest: digest(observed) }
}
