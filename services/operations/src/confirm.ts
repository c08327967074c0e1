/** Tells each service that moves operations which of its transitions are committed here, so that it stops repeating them. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Confirmation, OperationTransition } from '@financial-agents/bus/messages/events'
import { notify } from '@financial-agents/bus/rpc'
import { failpointIsSet } from '@financial-agents/runtime/failpoint'

export type Confirm = (committed: readonly OperationTransition[]) => Promise<void>

const maxPerMessage = 1_000
const subjects = { submitter: 'int.submitter.confirm', reconciler: 'int.reconciler.confirm' } as const

export function createConfirm(bus: Bus): Confirm {
  return async (committed) => {
    for (const mover of ['submitter', 'reconciler'] as const) {
      const highest = new Map<string, number>()
      for (const { by, operation_id, sequence } of committed)
        if (by === mover) highest.set(operation_id, Math.max(sequence, highest.get(operation_id) ?? 0))
      const items: Confirmation['items'] = Array.from(highest, ([operation_id, sequence]) => ({
        operation_id,
        sequence,
      }))
      for (let start = 0; start < items.length; start += maxPerMessage)
        notify(bus, subjects[mover], { by: 'operations', items: items.slice(start, start + maxPerMessage) })
    }
    if (!failpointIsSet()) return
    // A crash test requires that the message has left the process.
    await bus.check()
  }
}
