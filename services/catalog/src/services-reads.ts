/** The provider's purchasable services under our ids: the same for everybody, cached for a few minutes. */

import { createPortRead } from '@financial-agents/provider-client/port-read'
import type { ProviderReader, PublicReadContext } from '@financial-agents/provider-client/reader'
import { sanitised } from '@financial-agents/provider-client/sanitised'
import type { Provider } from '@financial-agents/provider-port/port'
import type { PurchasableService as ProviderService } from '@financial-agents/provider-port/quotes'
import { everybody, type Ids } from './ids.ts'
import { onceFor } from './once-for.ts'

export type PurchasableService = ProviderService & { id: string }

export type ServicesReads = {
  /** @throws Problem provider_unavailable, response_contract_failed; Unavailable */
  list(context: PublicReadContext): Promise<readonly PurchasableService[]>
}

type Options = { ids: Ids; provider: Pick<Provider, 'purchasableServices'>; reader: ProviderReader }

export function createServicesReads({ ids, ...given }: Options): ServicesReads {
  const services = createPortRead(given, 'purchasableServices')
  const withIds = onceFor(async (read: readonly ProviderService[]): Promise<readonly PurchasableService[]> => {
    const references = read.map(({ reference }) => reference)
    const idOf = await ids.services.getIds(everybody, references)
    return read.map((service) => ({ ...service, id: idOf(service.reference), name: sanitised(service.name) }))
  })
  return { list: async (context) => withIds(await services.get(context)) }
}
