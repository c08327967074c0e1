/** The provider's services that can be bought, with ids of ours: the same for everybody, kept for some minutes. */

import type { Queryable } from '@financial-agents/postgres/database'
import type { Provider } from '@financial-agents/provider/port'
import type { PurchasableService as ProviderService } from '@financial-agents/provider/quotes'
import type { ProviderReader, PublicReadContext } from '@financial-agents/provider/reader'
import { sanitised } from '@financial-agents/provider/sanitised'
import { checkEachOnce } from './each-once.ts'
import { onceFor } from './once-for.ts'
import { everybody, getIds } from './provider-ids.ts'

export type PurchasableService = ProviderService & { id: string }

export type ServicesReads = {
  /** @throws Problem provider_unavailable, response_contract_failed; Unavailable */
  list(context: PublicReadContext): Promise<readonly PurchasableService[]>
}

export const servicesKeptMs = 300_000

type Options = { db: Queryable; provider: Pick<Provider, 'purchasableServices'>; reader: ProviderReader }

export function createServicesReads({ db, provider, reader }: Options): ServicesReads {
  const services = reader.cachedPublic({
    name: 'purchasable_services',
    ttlMs: servicesKeptMs,
    send: (call) => provider.purchasableServices(call),
  })
  const withIds = onceFor(async (read: readonly ProviderService[]): Promise<readonly PurchasableService[]> => {
    const references = read.map(({ reference }) => reference)
    checkEachOnce('a service', references)
    const idOf = await getIds(db, everybody, 'service', references)
    return read.map((service) => ({ ...service, id: idOf(service.reference), name: sanitised(service.name) }))
  })
  return { list: async (context) => withIds(await services.get(context)) }
}
