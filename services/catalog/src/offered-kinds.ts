/** The kinds of operations that adapters declare: of all providers, and of the provider of one owner. */

import { type OperationKind, operationKinds } from '@financial-agents/operation-machine/kinds'
import { createOffers } from '@financial-agents/provider-reads/offers'
import type { ProviderReader, ReadContext } from '@financial-agents/provider-reads/reader'

export type OfferedKinds = {
  /** The kinds that at least one provider offers. */
  ofAll(): OperationKind[]
  /**
   * The kinds that the provider of the owner's connection offers. For an owner without a connection: as `ofAll`.
   * @throws Problem provider_connection_unavailable, service_unavailable
   */
  of(context: ReadContext): Promise<OperationKind[]>
}

export function createOfferedKinds(
  provider: Parameters<typeof createOffers>[0],
  reader: Pick<ProviderReader, 'providerOf'>,
): OfferedKinds {
  const offers = createOffers(provider, reader)
  const ofAll = () => operationKinds.filter((kind) => provider.supports(kind))
  return {
    ofAll,
    of: async (context) => {
      if (context.principal.binding_id === null) return ofAll()
      const offered = await Promise.all(operationKinds.map((kind) => offers(kind, context)))
      return operationKinds.filter((_, index) => offered[index])
    },
  }
}
