/** The kinds of operations that the provider of one owner offers, as its adapter declares them. */

import { type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { createOffers } from '@financial-agents/provider-client/offers'
import type { ProviderReader, ReadContext } from '@financial-agents/provider-client/reader'

export type OfferedKinds = {
  /**
   * The kinds that the provider of the owner's connection offers. For an owner without a connection: those that at least
   * one provider offers.
   * @throws Problem provider_connection_unavailable, service_unavailable
   */
  of(context: ReadContext): Promise<OperationKind[]>
}

export function createOfferedKinds(
  provider: Parameters<typeof createOffers>[0],
  reader: Pick<ProviderReader, 'providerOf'>,
): OfferedKinds {
  const offers = createOffers(provider, reader)
  return {
    of: async (context) => {
      if (context.principal.binding_id === null) return operationKinds.filter((kind) => provider.supports(kind))
      const offered = await Promise.all(operationKinds.map((kind) => offers(kind, context)))
      return operationKinds.filter((_, index) => offered[index])
    },
  }
}
