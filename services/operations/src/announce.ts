/**
 * Wakes the submitter with ids alone, one message for each kind. Nothing waits for the broker: the background job keeps an
 * accepted operation until an event of the submitter has moved it.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { SubmitBatch } from '@financial-agents/bus/messages/events'
import { failpointIsSet } from '@financial-agents/runtime/failpoint'

export type Announced = { id: string; kind: string; traceparent: string }
export type Announce = (operations: readonly Announced[]) => Promise<void>

const maxPerMessage = 500

export function createAnnounce(bus: Pick<Bus, 'publish' | 'check'>): Announce {
  return async (operations) => {
    for (const [kind, group] of Map.groupBy(operations, (operation) => operation.kind)) {
      for (let start = 0; start < group.length; start += maxPerMessage) {
        const batch: SubmitBatch = {
          operations: group
            .slice(start, start + maxPerMessage)
            .map(({ id, traceparent }) => ({ operation_id: id, traceparent })),
        }
        bus.publish(`ops.submit.${kind}`, JSON.stringify(batch))
      }
    }
    if (!failpointIsSet()) return
    // A crash test requires that the message has left the process.
    await bus.check()
  }
}
