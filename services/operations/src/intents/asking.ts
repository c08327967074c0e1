/** What the words of an intent ask of other services. An answer that does not come in time is a service out of reach. */

import type { Bus } from '@financial-agents/bus/connect'
import { NoResponders, TimedOut } from '@financial-agents/bus/errors'
import { call } from '@financial-agents/bus/rpc'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Asking } from './confirmed-actions.ts'

/** Kept back from the caller's patience, so that our answer is there before it gives up. */
const answerMarginMs = 150

export function createAsking(bus: Bus): Asking {
  return {
    ownerClients: (owner_id, { requestId, traceparent, timeoutMs }) =>
      call(
        bus,
        'int.authz.owner-clients',
        { owner_id },
        { requestId, traceparent, timeoutMs: Math.max(100, timeoutMs - answerMarginMs) },
      ).catch((cause: unknown) => {
        if (cause instanceof NoResponders || cause instanceof TimedOut)
          throw new Unavailable('authz did not tell the clients of an owner', { cause })
        throw cause
      }),
  }
}
