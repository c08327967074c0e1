/** Finds the connected binding of each owner, as onboarding knows it. */

import type { Bus } from '@financial-agents/bus/connect'
import { contextWithin, type MessageContext } from '@financial-agents/bus/headers'
import type { Binding } from '@financial-agents/bus/messages/authority'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'

const patienceMs = 2_000

/**
 * Returns bindings by owner id. An owner without a connection is absent. @throws Problem authorization_unavailable if
 * onboarding does not answer
 */
export async function getConnectedBindings(
  bus: Bus,
  ownerIds: readonly string[],
  context: MessageContext,
): Promise<ReadonlyMap<string, Binding>> {
  if (ownerIds.length === 0) return new Map()
  let bindings: Binding[]
  try {
    const request = { owner_ids: [...ownerIds] }
    bindings = await call(bus, 'int.onboarding.bindings', request, contextWithin(context, patienceMs))
  } catch (cause) {
    throw new Problem('authorization_unavailable', { cause })
  }
  const connected = bindings.filter(({ status }) => status === 'connected')
  return new Map(connected.map((binding) => [binding.owner_id, binding]))
}
