/**
 * Authority to pay under a mandate: a client that the mandate names, by a grant with authority under it, and by no
 * other grant of that client.
 */

import { ask } from '@financial-agents/bus/ask'
import type { Bus } from '@financial-agents/bus/connect'
import type { MandateAuthority } from '@financial-agents/bus/messages/resources'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { generatedAtMs } from '@financial-agents/runtime/generated-at'
import type { MandateRow } from './store.ts'

const timeoutMs = 2_000

const ended =
  'Authority under a mandate belongs to the grant that the client held when the owner confirmed it, and ends with that grant. Ask the owner for consent again: the consent page lists this mandate, and the owner can let you go on. A service account needs a new mandate.'

/** Returns the refusal if this grant has no authority. */
export function findAuthorityRefusal(
  { authorized_clients, authorities }: Pick<MandateRow, 'authorized_clients' | 'authorities'>,
  { client_id, grant_id }: MandateAuthority,
): Problem | undefined {
  if (!authorized_clients.includes(client_id)) return new Problem('mandate_client_not_authorized')
  const has = authorities.some((one) => one.client_id === client_id && one.grant_id === grant_id)
  return has ? undefined : new Problem('mandate_client_not_authorized', { detail: ended })
}

/**
 * Returns the grants that the named clients held when the owner confirmed: the calling client's own grant, to which the
 * confirmation is bound, and the other clients' active grants that are older than the confirmation's intent. A client
 * without such a grant, or an unknown client, gets none; no answer tells which.
 * @throws Unavailable if other clients are named and authz is out of reach
 */
export async function getConfirmedAuthorities(
  bus: Bus,
  context: HandlerContext,
  named: readonly string[],
): Promise<MandateAuthority[]> {
  const { owner_id, client_id, grant_id } = context.principal
  const own = named.includes(client_id) ? [{ client_id, grant_id }] : []
  const others = new Set(named.filter((client) => client !== client_id))
  if (others.size === 0) return own
  const beforeMs = generatedAtMs(context.confirmation.intent_id ?? '')
  const clients = await ask(bus, 'int.authz.owner-clients', { owner_id }, context, timeoutMs)
  const held = clients.flatMap((client) =>
    others.has(client.client_id)
      ? client.active_grants
          .filter(({ created_at }) => Date.parse(created_at) < beforeMs)
          .map((grant) => ({ client_id: client.client_id, grant_id: grant.grant_id }))
      : [],
  )
  return [...own, ...held]
}
