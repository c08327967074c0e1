/**
 * Answers whether a request's provider offers a kind, from the facts that the adapters declare. If all adapters agree,
 * onboarding is not asked for the provider.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Provider } from '@financial-agents/provider-port/port'
import type { ProviderReader, ReadContext } from './reader.ts'
import type { RoutedProvider } from './routed.ts'

/** A single adapter has no `of` and no `kinds`. */
type Adapters = Pick<Provider, 'supports'> & Partial<Pick<RoutedProvider, 'of' | 'kinds'>>

export function createOffers(provider: Adapters, reader: Pick<ProviderReader, 'providerOf'>) {
  return async (kind: OperationKind, context: ReadContext): Promise<boolean> => {
    const declared = [...(provider.kinds?.values() ?? [])]
    if (!provider.supports(kind)) return false
    if (provider.of === undefined || declared.every((kinds) => kinds.includes(kind))) return true
    // If the adapter of the binding is missing, the operation waits for the adapter. The kind itself is not refused.
    return provider.of(await reader.providerOf(context))?.supports(kind) ?? true
  }
}
