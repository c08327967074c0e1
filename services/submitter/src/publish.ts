/**
 * Publishes the events of rows: for each operation every transition that was not confirmed, in the order of its
 * sequence, so that a later event repairs an earlier one that was lost. Nothing is awaited: the row is kept until the
 * consumers have confirmed it.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { EventBatch, OperationTransition } from '@financial-agents/bus/messages/events'
import { isOperationKind } from '@financial-agents/operation-machine/kinds'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { type SubmissionRow, unconfirmedTransitionsOf } from './submission.ts'

// Two transitions of about 1 KB each; a message may have 1 MB.
const rowsPerMessage = 128

export function publishEvents(bus: Bus, rows: readonly SubmissionRow[]): void {
  const byKind = Map.groupBy(rows, (row) => row.kind)
  for (const [kind, ofKind] of byKind) {
    for (let start = 0; start < ofKind.length; start += rowsPerMessage)
      publish(bus, kind, ofKind.slice(start, start + rowsPerMessage).flatMap(unconfirmedTransitionsOf))
  }
}

function publish(bus: Bus, kind: string, transitions: OperationTransition[]): void {
  const message: EventBatch = { transitions }
  // A kind outside the closed set may not be fit for a subject.
  bus.publish(`ops.event.${isOperationKind(kind) ? kind : 'unlisted'}`, JSON.stringify(message))
  failpoint('event.after_publish')
}
