/** Publishes transitions and planned reads. A message holds one kind, and an operation's transitions in order of sequence. */

import type { Bus } from '@financial-agents/bus/connect'
import type { EventBatch, OperationTransition, ReadPlanned } from '@financial-agents/bus/messages/events'
import { failpoint } from '@financial-agents/runtime/failpoint'

// A transition has about 1 KB; a message may have 1 MB.
const perMessage = 256

export type Planned = ReadPlanned & { kind: string }

export function publishEvents(
  bus: Bus,
  transitions: readonly OperationTransition[],
  planned: readonly Planned[] = [],
): void {
  const plannedByKind = Map.groupBy(planned, ({ kind }) => kind)
  const byKind = Map.groupBy(transitions, ({ kind }) => kind as string)
  for (const kind of new Set([...byKind.keys(), ...plannedByKind.keys()])) {
    const ofKind = byKind.get(kind) ?? []
    const reads = (plannedByKind.get(kind) ?? []).map(({ kind: _kind, ...read }) => read)
    for (let start = 0; start < Math.max(ofKind.length, reads.length); start += perMessage) {
      const message: EventBatch = {
        transitions: ofKind.slice(start, start + perMessage),
        reads_planned: reads.slice(start, start + perMessage),
      }
      bus.publish(`ops.event.${kind}`, JSON.stringify(message))
      failpoint('event.after_publish')
    }
  }
}
