/**
 * `int.authz.active-grants` returns the active grants of many owners and clients, with the connections they act over.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { GrantView } from '@financial-agents/bus/messages/authority'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { listActiveGrants } from '../store/active-grants.ts'
import { getBindingsOfGrants } from './binding-of-grant.ts'

/** @throws Problem authorization_unavailable if the bindings cannot be read */
export async function activeGrants(
  { bus, db, clock }: { bus: Bus; db: Database; clock: Clock },
  request: { clients: { owner_id: string; client_id: string }[] },
  context: MessageContext,
): Promise<GrantView[]> {
  const grants = await listActiveGrants(db, request.clients, clock.now())
  const bindings = await getBindingsOfGrants({ bus, db }, grants, context)
  return grants.map(({ kind, declared_at: _registered, ...grant }) => ({
    ...grant,
    status: 'active',
    is_service: kind === 'service',
    expires_at: grant.expires_at?.toISOString() ?? null,
    binding_id: bindings.get(grant.grant_id) ?? null,
  }))
}
