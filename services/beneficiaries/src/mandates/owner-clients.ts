/** Which clients may be authorised under a mandate: those that hold a grant of its owner. */

import { ask } from '@financial-agents/bus/ask'
import type { Bus } from '@financial-agents/bus/connect'
import type { WriteAsker } from '@financial-agents/bus/serve-judgement'

const timeoutMs = 2_000

/**
 * The calling client always is one, so that authz is asked only where others are named.
 * @throws Unavailable
 */
export async function getOwnerClients(
  bus: Bus,
  context: WriteAsker,
  named: readonly string[],
): Promise<ReadonlySet<string>> {
  const { owner_id, client_id } = context.principal
  if (named.every((client) => client === client_id)) return new Set([client_id])
  const clients = await ask(bus, 'int.authz.owner-clients', { owner_id }, context, timeoutMs)
  return new Set([client_id, ...clients.map((client) => client.client_id)])
}
