/**
 * Answers whether a request's provider offers a kind, from the facts that the adapters declare. Nobody is asked where all
 * adapters agree.
 */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { Provider } from '@financial-agents/provider/port'
import type { ProviderReader, ReadContext } from './reader.ts'
import type { RoutedProvider } from './routed.ts'

/** The adapters; one adapter alone has no names. */
type Adapters = Pick<Provider, 'supports'> & Partial<Pick<RoutedProvider, 'of' | 'kinds'>>

export function createOffers(provider: Adapters, reader: Pick<ProviderReader, 'providerOf'>) {
  return async (kind: OperationKind, context: ReadContext): Promise<boolean> => {
    const declared = [...(provider.kinds?.values() ?? [])]
    if (!provider.supports(kind)) return false
    if (provider.of === undefined || declared.every((kinds) => kinds.includes(kind))) return true
    // A binding whose adapter is missing waits for it; it is not the kind that is missing.
    return provider.of(await reader.providerOf(context))?.supports(kind) ?? true
  }
}
