/**
 * Finds the grants of one owner to all clients, by one of these grants or by the provider's reference of the person.
 * The list of grants stands for the owner, whom the console neither shows nor stores.
 */

import { ask } from '@financial-agents/bus/ask'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { FindGrantsRequest } from '@financial-agents/bus/messages/operator'
import type { Opened } from '../dependencies.ts'

type Bus = Opened['bus']
type OwnerFilters = { same_owner_as?: string | undefined; owner?: string | undefined }

const mostGrants = 500

/** Returns undefined if no owner is asked for, and an empty list if there is no such owner. @throws Unavailable */
export async function grantsOfOwner(
  bus: Bus,
  { same_owner_as, owner }: OwnerFilters,
  context: MessageContext,
): Promise<string[] | undefined> {
  if (same_owner_as === undefined && owner === undefined) return undefined
  const given = [same_owner_as === undefined ? undefined : { same_owner_as }, await ownerFilter(bus, owner, context)]
  const found: string[][] = []
  for (const filter of given) {
    if (filter === null) return []
    if (filter === undefined) continue
    const grants = await ask(bus, 'int.authz.find-grants', { ...filter, after: null, limit: mostGrants }, context)
    found.push(grants.map(({ grant_id }) => grant_id))
  }
  return found.reduce((some, others) => some.filter((id) => others.includes(id)))
}

/** Returns undefined if no owner is asked for, and null if the provider's reference belongs to no owner. @throws Unavailable */
export async function ownerFilter(
  bus: Bus,
  reference: string | undefined,
  context: MessageContext,
): Promise<Pick<FindGrantsRequest, 'owner_id'> | undefined | null> {
  if (reference === undefined) return undefined
  const owner_id = await ask(bus, 'int.onboarding.find-owner', { reference }, context)
  return owner_id === null ? null : { owner_id }
}
