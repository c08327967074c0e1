/** `rpc.authz.grant`: the facts that a gateway needs about a grant, including the connection it acts over. */

import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { GrantView } from '@financial-agents/bus/messages/authority'
import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import { findGrant } from '../store/grants.ts'
import { getBindingsOfGrants } from './binding-of-grant.ts'

/** Returns null if there is no such grant. @throws Problem authorization_unavailable if the binding cannot be read */
export async function grant(
  { bus, db, clock }: { bus: Bus; db: Database; clock: Clock },
  request: { grant_id: string },
  context: MessageContext,
): Promise<GrantView | null> {
  if (!isUuid(request.grant_id)) return null
  const row = await findGrant(db, request.grant_id, clock.now())
  if (!row) return null
  const { active, kind, binding_id: _fixed, declared_at: _registered, ...rest } = row
  const known = { ...rest, is_service: kind === 'service', expires_at: row.expires_at?.toISOString() ?? null }
  if (!active) return { ...known, status: 'inactive', binding_id: null }
  const bindings = await getBindingsOfGrants({ bus, db }, [row], context)
  return { ...known, status: 'active', binding_id: bindings.get(row.grant_id) ?? null }
}
