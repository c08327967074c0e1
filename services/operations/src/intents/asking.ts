/** What the words of an intent ask of other services. An answer that does not come in time is a service out of reach. */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import { contextWithin } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Asking } from './confirmed-actions.ts'

export function createAsking(bus: Bus): Asking {
  return {
    ownerClients: (owner_id, context) =>
      call(bus, 'int.authz.owner-clients', { owner_id }, contextWithin(context)).catch((cause: unknown) => {
        if (isUnanswered(cause)) throw new Unavailable('authz did not tell the clients of an owner', { cause })
        throw cause
      }),
  }
}
