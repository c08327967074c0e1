/**
 * `int.submitter.fence`: commits the fence, and then answers with the operations whose attempts are still open. It tells
 * operations, which ends the approvals that wait under it.
 *
 * Invariant: a fence is answered only once the witness has counted it and the log has it. So a database that loses it has lost
 * something, and `recover` sets it again.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { FenceRequest, FenceResponse, UnfenceRequest } from '@financial-agents/bus/messages/authority'
import { notify } from '@financial-agents/bus/rpc'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { WritesClosed } from '@financial-agents/witness/closed'
import type { Dependencies } from '../dependencies.ts'
import { listOpenAttempts, recordFence, recordUnfence } from '../store/fences.ts'
import { witnessEnd } from '../witnessed-ends.ts'

type Fencing = Pick<Dependencies, 'bus' | 'db' | 'clock' | 'witness'>

export function fence(dependencies: Fencing) {
  const { bus, db, clock } = dependencies
  return async (request: FenceRequest, { timeoutMs }: Pick<MessageContext, 'timeoutMs'>): Promise<FenceResponse> => {
    const now = clock.now()
    if (!(await recordWitnessed(dependencies, request, now, timeoutMs))) {
      // Another replica may be able to, and the caller takes the first answer.
      await delay(timeoutMs)
      throw new Unavailable('the fence is not witnessed yet')
    }
    await witnessEnd(bus, request, request.reason, now)
    notify(bus, 'int.operations.fenced', { target: request.target, target_id: request.target_id })
    return { open_operation_ids: await listOpenAttempts(db, request) }
  }
}

/** Returns false if the fence may be in an old primary alone. */
async function recordWitnessed(
  { db, witness }: Fencing,
  request: FenceRequest,
  now: Date,
  withinMs: number,
): Promise<boolean> {
  try {
    const { witnessed } = await witness.record((mark) => recordFence(db, request, now, mark()), withinMs)
    return witnessed
  } catch (error) {
    if (!(error instanceof WritesClosed)) throw error
    const { reason } = error.closed
    if (reason !== 'loss' && reason !== 'elsewhere') return false
    // Nothing is sent until `recover` has set every end of the log.
    await recordFence(db, request, now)
    return true
  }
}

/** `int.submitter.unfence`: commits the return of the authority. */
export function unfence({ bus, db, clock }: Pick<Dependencies, 'bus' | 'db' | 'clock'>) {
  return async (request: UnfenceRequest): Promise<null> => {
    await recordUnfence(db, request)
    await witnessEnd(bus, request, null, clock.now())
    return null
  }
}
