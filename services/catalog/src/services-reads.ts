/** The provider's purchasable services under our ids: the same for everybody, cached for a few minutes. */

import { service } from '@financial-agents/contract/schemas/service'
import { checkedAnswer } from '@financial-agents/provider-client/checked-answer'
import type { ProviderReader, PublicReadContext } from '@financial-agents/provider-client/reader'
import { sanitised } from '@financial-agents/provider-client/sanitised'
import type { Provider } from '@financial-agents/provider-port/port'
import type { PurchasableService as ProviderService } from '@financial-agents/provider-port/quotes'
import { providerReference } from '@financial-agents/provider-port/storable'
import { z } from 'zod'
import { checkEachOnce } from './each-once.ts'
import { everybody, type Ids } from './ids.ts'
import { onceFor } from './once-for.ts'

export type PurchasableService = ProviderService & { id: string }

export type ServicesReads = {
  /** @throws Problem provider_unavailable, response_contract_failed; Unavailable */
  list(context: PublicReadContext): Promise<readonly PurchasableService[]>
}

export const servicesKeptMs = 300_000

const { name, category, documentation_url } = service.shape

const listed = z
  .array(
    z.strictObject({
      reference: providerReference,
      name,
      category,
      documentation_url,
      product_ids: z.array(z.string().min(1).max(128)).max(1_000),
    }),
  )
  .max(1_000)

type Options = { ids: Ids; provider: Pick<Provider, 'purchasableServices'>; reader: ProviderReader }

export function createServicesReads({ ids, provider, reader }: Options): ServicesReads {
  const services = reader.cachedPublic({
    name: 'purchasable_services',
    ttlMs: servicesKeptMs,
    send: async (call) => checkedAnswer(listed, await provider.purchasableServices(call)),
  })
  const withIds = onceFor(async (read: readonly ProviderService[]): Promise<readonly PurchasableService[]> => {
    const references = read.map(({ reference }) => reference)
    checkEachOnce('a service', references)
    const idOf = await ids.services.getIds(everybody, references)
    return read.map((service) => ({ ...service, id: idOf(service.reference), name: sanitised(service.name) }))
  })
  return { list: async (context) => withIds(await services.get(context)) }
}
