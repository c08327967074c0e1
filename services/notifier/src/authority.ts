/**
 * The questions before anything is sent. Operations tells whether the client can read the state; authz tells whether
 * the client may still know it. Without both answers, the delivery waits: nothing is sent on a guess.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import type { GrantView } from '@financial-agents/bus/messages/authority'
import { call } from '@financial-agents/bus/rpc'
import type { Claimed } from './claim-store.ts'

const patienceMs = 5_000

/** A delivery whose subscription exists and is active. */
export type Deliverable = Claimed & { subscription: NonNullable<Claimed['subscription']> }

/**
 * Returns the deliveries whose clients can already read the operation at this sequence or a later one.
 * @throws if operations does not answer
 */
export async function findReadable(bus: Bus, deliveries: readonly Deliverable[]): Promise<Set<string>> {
  const first = deliveries.filter(({ attempts }) => attempts === 0)
  const operation_ids = [...new Set(first.map(({ operation_id }) => operation_id))]
  const views =
    operation_ids.length === 0
      ? []
      : await call(bus, 'int.operations.states', { operation_ids }, newContext(patienceMs))
  const sequences = new Map(views.map(({ operation_id, sequence }) => [operation_id, sequence]))
  const isReadable = ({ attempts, operation_id, sequence }: Deliverable) =>
    attempts > 0 || (sequences.get(operation_id) ?? 0) >= sequence
  return new Set(deliveries.filter(isReadable).map(({ id }) => id))
}

/**
 * Returns the deliveries whose client may now read operations of a connected owner.
 * @throws if authz does not answer
 */
export async function findAllowed(bus: Bus, deliveries: readonly Deliverable[]): Promise<Set<string>> {
  if (deliveries.length === 0) return new Set()
  const holders = new Map(
    deliveries.map(({ subscription: { owner_id, client_id } }) => [
      holderOf({ owner_id, client_id }),
      { owner_id, client_id },
    ]),
  )
  const clients = [...holders.values()]
  const grants = await call(bus, 'int.authz.active-grants', { clients }, newContext(patienceMs))
  const allowed = new Set(grants.filter(letsReadOperations).map(holderOf))
  return new Set(deliveries.filter(({ subscription }) => allowed.has(holderOf(subscription))).map(({ id }) => id))
}

function letsReadOperations({ status, binding_id, scopes }: GrantView): boolean {
  return status === 'active' && binding_id !== null && scopes.includes('operations:read')
}

function holderOf({ owner_id, client_id }: { owner_id: string; client_id: string }): string {
  return JSON.stringify([owner_id, client_id])
}
