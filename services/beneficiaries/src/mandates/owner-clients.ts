/** Which clients may be authorised under a mandate: those that hold a grant of its owner. */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import { call, type HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'

const timeoutMs = 2_000

/**
 * The calling client always is one, so that authz is asked only where others are named.
 * @throws Problem service_unavailable: nothing was accepted
 */
export async function getOwnerClients(
  bus: Bus,
  { principal, requestId, traceparent }: Pick<HandlerContext, 'principal' | 'requestId' | 'traceparent'>,
  named: readonly string[],
): Promise<ReadonlySet<string>> {
  const { owner_id, client_id } = principal
  if (named.every((client) => client === client_id)) return new Set([client_id])
  try {
    const clients = await call(bus, 'int.authz.owner-clients', { owner_id }, { requestId, traceparent, timeoutMs })
    return new Set([client_id, ...clients.map((client) => client.client_id)])
  } catch (error) {
    if (isUnanswered(error)) throw new Problem('service_unavailable', { cause: error })
    throw error
  }
}
