/**
 * Takes over operations from the submitter's events. Each handoff, a repeated one too, is confirmed to the submitter once
 * it is committed here. Until then the submitter sends it again.
 */

import type { EventBatch, OperationTransition } from '@financial-agents/bus/messages/events'
import { notify } from '@financial-agents/bus/rpc'
import { isRowFault } from '@financial-agents/postgres/errors'
import type { Dependencies } from './dependencies.ts'
import { recordHandoffs } from './store/handoff.ts'

type HandoffDependencies = Pick<Dependencies, 'bus' | 'clock' | 'db' | 'log'>

/** The JSON text of every handoff contains one of these marks. */
const handoffMarks = ['"to":"submitted"', '"to":"indeterminate"'].map((mark) => Buffer.from(mark))

/** False for a message that hands nothing over. Most operations end with their first answer, so most messages need no parsing. */
export function mayHandOff(data: Uint8Array): boolean {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return handoffMarks.some((mark) => bytes.includes(mark))
}

export async function takeOver(dependencies: HandoffDependencies, messages: readonly EventBatch[]): Promise<void> {
  const handed = new Map<string, OperationTransition>()
  for (const transition of messages.flatMap((message) => transitionsOf(dependencies, message)))
    if (isHandoff(transition)) handed.set(transition.operation_id, transition)
  if (handed.size === 0) return
  const taken = await recordTogether(dependencies, [...handed.values()])
  const items = taken.map(({ operation_id, sequence }) => ({ operation_id, sequence }))
  if (items.length > 0) notify(dependencies.bus, 'int.submitter.confirm', { by: 'reconciler', items })
}

/** Drops a malformed message: throwing would make the broker deliver it, and its whole batch, for ever. */
function transitionsOf({ log }: HandoffDependencies, message: EventBatch | null): OperationTransition[] {
  if (Array.isArray(message?.transitions)) return message.transitions
  log.error({}, 'an event message is not one')
  return []
}

function isHandoff(transition: OperationTransition | null): boolean {
  return transition?.by === 'submitter' && (transition.to === 'submitted' || transition.to === 'indeterminate')
}

/**
 * Records all handoffs in one batch. If a row can never be written, records them one by one and leaves that row out: its operation
 * stays with the submitter.
 */
async function recordTogether(
  dependencies: HandoffDependencies,
  transitions: OperationTransition[],
): Promise<OperationTransition[]> {
  try {
    await recordHandoffs(dependencies.db, transitions, dependencies.clock.now())
    return transitions
  } catch (error) {
    if (!isRowFault(error)) throw error
    const [only] = transitions
    if (transitions.length > 1 || only === undefined)
      return (await Promise.all(transitions.map((one) => recordTogether(dependencies, [one])))).flat()
    dependencies.log.error({ err: error, operation_id: only.operation_id }, 'an operation cannot be taken over')
    return []
  }
}
