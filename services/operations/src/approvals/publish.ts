/**
 * Publishes the moves that operations makes itself: a creation in `requires_action`, and the end of an approval. Areas
 * learn from them of an approval that was not granted, and the notifier tells clients of all. A move that the answer of
 * the creation already shows is not published.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { EventBatch, OperationTransition } from '@financial-agents/bus/messages/events'
import type { Queryable } from '@financial-agents/postgres/database'
import { failpointIsSet } from '@financial-agents/runtime/failpoint'
import { findMovesToRepeat, type MovedRow } from './store.ts'

// A transition has about 1 KB, and a message may have 1 MB.
const maxPerMessage = 256

export async function publishMoves(bus: Pick<Bus, 'publish' | 'check'>, rows: readonly MovedRow[]): Promise<void> {
  for (const [kind, group] of Map.groupBy(rows, (row) => row.kind)) {
    for (let start = 0; start < group.length; start += maxPerMessage) {
      const batch: EventBatch = { transitions: group.slice(start, start + maxPerMessage).map(toTransition) }
      bus.publish(`ops.event.${kind}`, JSON.stringify(batch))
    }
  }
  if (rows.length === 0 || !failpointIsSet()) return
  // A crash test requires that the message has left the process.
  await bus.check()
}

/**
 * Publishes the moves of these operations again, because their first message may be lost. Every consumer knows a move by
 * its sequence.
 */
export async function repeatMoves(
  dependencies: { db: Queryable; bus: Pick<Bus, 'publish' | 'check'> },
  ids: readonly string[],
) {
  if (ids.length > 0) await publishMoves(dependencies.bus, await findMovesToRepeat(dependencies.db, ids))
}

function toTransition(row: MovedRow): OperationTransition {
  return {
    operation_id: row.id,
    kind: row.kind,
    resource_id: row.resource_id,
    owner_id: row.owner_id,
    subject: row.subject,
    client_id: row.client_id,
    grant_id: row.grant_id,
    binding_id: row.binding_id,
    sequence: row.sequence,
    from: row.event === 'accept_for_approval' ? null : 'requires_action',
    event: row.event,
    to: row.state,
    by: 'operations',
    at: row.updated_at.toISOString(),
    failure_code: row.failure_code,
    failure_detail: row.failure_detail,
    upstream_reference: row.upstream_reference,
    target_reference: row.target_reference,
    resource: null,
    next_reconcile_at: null,
    reason: row.reason,
    evidence: row.evidence,
    traceparent: row.traceparent,
  }
}
