/**
 * Reads resources that may wait for operations. A client can read an outcome before its event arrives here, and then
 * reads the resource in its new state. So a read that finds a pending resource asks operations, and applies the answer
 * like an event (write protocol, rules 7 and 14). A resource that waits for nothing costs no question.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { newsOfDecisions } from './events.ts'
import type { Writes } from './writes.ts'

export type SettledReadDependencies = { bus: Bus; clock: Clock; log: Log; writes: Pick<Writes, 'advance'> }

const timeoutMs = 2_000

/**
 * Reads again as long as operations knows outcomes that the read does not show. If operations does not answer, the read is
 * returned as it is stored.
 * @param pendingOf the accepted operations whose outcome the read waits for
 */
export async function readSettled<Read>(
  dependencies: SettledReadDependencies,
  read: () => Promise<Read>,
  pendingOf: (read: Read) => readonly string[],
): Promise<Read> {
  const asked = new Set<string>()
  for (;;) {
    const found = await read()
    const pending = pendingOf(found).filter((id) => !asked.has(id))
    for (const id of pending) asked.add(id)
    if (pending.length === 0 || !(await applyOutcomes(dependencies, pending))) return found
  }
}

/** Returns true if any of the operations has an outcome. */
async function applyOutcomes({ bus, clock, log, writes }: SettledReadDependencies, operation_ids: readonly string[]) {
  try {
    const decisions = await call(
      bus,
      'int.operations.decide',
      { operation_ids: [...operation_ids] },
      newContext(timeoutMs),
    )
    const settled = newsOfDecisions(decisions, clock.now()).filter(({ outcome }) => outcome !== null)
    await writes.advance(settled)
    return settled.length > 0
  } catch (error) {
    if (!isUnanswered(error)) throw error
    log.warn({ err: error }, 'a resource is shown as it is stored, because operations does not answer')
    return false
  }
}
