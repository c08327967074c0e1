/**
 * Finds the connection that a grant acts over. A person's grant acts over the owner's connection. A service account
 * acts only over the connection that was fixed when it was declared.
 *
 * Invariant: a service account never takes a connection that an owner made by signing in after it was declared.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { contextWithin, type MessageContext } from '@financial-agents/bus/headers'
import type { Binding } from '@financial-agents/bus/messages/authority'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Queryable } from '@financial-agents/postgres/database'
import { fixBinding, listUnfixed, type Unfixed } from '../store/service-bindings.ts'

type Dependencies = { bus: Bus; db: Queryable }

/**
 * The members of a grant that decide its connection. `binding_id`: the fixed connection of a service account, if there
 * is one.
 */
export type GrantOverBinding = Unfixed & { kind: 'human' | 'service'; binding_id: string | null }

/**
 * Returns binding ids by grant id. A grant without a connection is absent. @throws Problem authorization_unavailable if
 * the bindings cannot be read
 */
export async function getBindingsOfGrants(
  { bus, db }: Dependencies,
  grants: readonly GrantOverBinding[],
  context: MessageContext,
): Promise<ReadonlyMap<string, string>> {
  const connected = await getConnectedBindings(bus, [...new Set(grants.map(({ owner_id }) => owner_id))], context)
  const found = new Map<string, string>()
  for (const grant of grants) {
    const binding = connected.get(grant.owner_id)
    if (!binding) continue
    const id =
      grant.kind === 'human' ? binding.binding_id : (grant.binding_id ?? (await takeBinding(db, grant, binding)))
    if (id === binding.binding_id) found.set(grant.grant_id, id)
  }
  return found
}

const batch = 1_000

/** Fixes connections in advance, for accounts that nobody uses yet. */
export async function fixServiceBindings({ bus, db }: Dependencies, context: MessageContext): Promise<void> {
  const waiting = await listUnfixed(db, batch)
  const grants = waiting.map((grant) => ({ ...grant, kind: 'service' as const, binding_id: null }))
  await getBindingsOfGrants({ bus, db }, grants, context)
}

async function takeBinding(db: Queryable, grant: Unfixed, binding: Binding): Promise<string | null> {
  const isRegistered = binding.source === 'declared' || Date.parse(binding.connected_at) <= grant.declared_at.getTime()
  return isRegistered ? fixBinding(db, grant.grant_id, binding.binding_id) : null
}

const patienceMs = 2_000

/**
 * Returns bindings by owner id. An owner without a connection is absent. @throws Problem authorization_unavailable if
 * onboarding does not answer
 */
async function getConnectedBindings(
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
