/**
 * Publishes the events of rows. For each operation these are all unconfirmed transitions, in order of sequence, so a later
 * event repairs an earlier one that was lost. Publishing is not awaited: the outbox repeats it until the consumers confirm.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { EventBatch, OperationTransition } from '@financial-agents/bus/messages/events'
import { isOperationKind } from '@financial-agents/contract/kinds'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { type Heard, nothingHeard, type SubmissionRow, unconfirmedTransitionsOf } from './submission.ts'

// A row has at most two transitions of about 1 KB; a message may have 1 MB.
const rowsPerMessage = 128

/** @param heardOf the confirmations that were heard; by default none */
export function publishEvents(
  bus: Bus,
  rows: readonly SubmissionRow[],
  heardOf: (operationId: string) => Heard = () => nothingHeard,
): void {
  const owed = (row: SubmissionRow) => unconfirmedTransitionsOf(row, heardOf(row.operation_id))
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind)) {
    for (let start = 0; start < ofKind.length; start += rowsPerMessage) {
      const transitions = ofKind.slice(start, start + rowsPerMessage).flatMap(owed)
      if (transitions.length > 0) publish(bus, kind, transitions)
    }
  }
}

function publish(bus: Bus, kind: string, transitions: OperationTransition[]): void {
  const message: EventBatch = { transitions }
  // A kind outside the closed set may hold characters that a subject must not have.
  bus.publish(`ops.event.${isOperationKind(kind) ? kind : 'unlisted'}`, JSON.stringify(message))
  failpoint('event.after_publish')
}
