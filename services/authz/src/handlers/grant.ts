/** `rpc.authz.grant`: what a gateway needs to know of a grant, the owner's connected binding included. */

import type { Bus } from '@financial-agents/bus/connect'
import { contextWithin, type MessageContext } from '@financial-agents/bus/headers'
import type { Binding, GrantView } from '@financial-agents/bus/messages/authority'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import { findGrant } from '../store/grants.ts'

const patienceMs = 2_000

/** Null where there is no such grant. @throws authorization_unavailable where the binding cannot be told */
export async function grant(
  { bus, db, clock }: { bus: Bus; db: Database; clock: Clock },
  request: { grant_id: string },
  context: MessageContext,
): Promise<GrantView | null> {
  if (!isUuid(request.grant_id)) return null
  const row = await findGrant(db, request.grant_id, clock.now())
  if (!row) return null
  const { active, ...rest } = row
  const known = { ...rest, expires_at: row.expires_at?.toISOString() ?? null }
  if (!active) return { ...known, status: 'inactive', binding_id: null }
  return { ...known, status: 'active', binding_id: await findBinding(bus, row.owner_id, context) }
}

async function findBinding(bus: Bus, ownerId: string, context: MessageContext): Promise<string | null> {
  let bindings: Binding[]
  try {
    bindings = await call(bus, 'int.onboarding.bindings', { owner_ids: [ownerId] }, contextWithin(context, patienceMs))
  } catch (cause) {
    throw new Problem('authorization_unavailable', { cause })
  }
  const connected = bindings.find((binding) => binding.owner_id === ownerId && binding.status === 'connected')
  return connected?.binding_id ?? null
}
