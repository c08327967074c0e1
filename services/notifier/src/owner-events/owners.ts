/** Owners as the operator's platform knows them: by the reference of their provider. */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { OwnerEvent } from '@financial-agents/contract/schemas/owner-event'

const patienceMs = 5_000

type Owner = OwnerEvent['data']['owner']

export type Owners = { of: (ownerId: string) => Owner }

/** @throws if onboarding does not answer */
export async function readOwners(bus: Bus, facts: readonly { owner_id: string }[]): Promise<Owners> {
  const owner_ids = [...new Set(facts.map(({ owner_id }) => owner_id))]
  const found =
    owner_ids.length === 0
      ? []
      : await call(bus, 'int.onboarding.owner-references', { owner_ids }, newContext(patienceMs))
  const known = new Map(found.map(({ owner_id, provider, reference }) => [owner_id, { provider, reference }]))
  return { of: (id) => ({ id, ...(known.get(id) ?? { provider: null, reference: null }) }) }
}
