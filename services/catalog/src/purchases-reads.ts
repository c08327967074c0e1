/**
 * The owner's purchases as the provider lists them, newest first, under our ids, cached for a few seconds for each
 * binding. If a quote was stored here when its purchase was first read, the purchase shows the id of the stored quote.
 */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import type { Purchase } from '@financial-agents/contract/schemas/purchase'
import { createPortRead } from '@financial-agents/provider-client/port-read'
import type { ProviderReader } from '@financial-agents/provider-client/reader'
import type { Provider } from '@financial-agents/provider-port/port'
import type { ProviderPurchase } from '@financial-agents/provider-port/quotes'
import { everybody, type Ids } from './ids.ts'
import { onceFor } from './once-for.ts'

export type PurchasesReads = {
  /** @throws Problem provider_connection_unavailable, provider_unavailable, response_contract_failed; Unavailable */
  list(context: HandlerContext): Promise<readonly Purchase[]>
}

type Options = { ids: Ids; provider: Pick<Provider, 'purchases'>; reader: ProviderReader }

export function createPurchasesReads({ ids, ...given }: Options): PurchasesReads {
  const purchases = createPortRead(given, 'purchases')
  // A binding belongs to one owner, and so do its answers.
  const withIds = onceFor((read: readonly ProviderPurchase[], ownerId: string) => toPurchases(ids, ownerId, read))
  return { list: async (context) => withIds(await purchases.get(context), context.principal.owner_id) }
}

async function toPurchases(ids: Ids, ownerId: string, read: readonly ProviderPurchase[]): Promise<readonly Purchase[]> {
  if (read.length === 0) return []
  const references = read.map(({ reference }) => reference)
  const quotes = read.map(({ quote_reference }) => quote_reference)
  const services = read.map(({ service_reference }) => service_reference)
  const [idOf, quoteIdOf, serviceIdOf] = await Promise.all([
    ids.purchases.getIds(ownerId, references),
    ids.quotes.getIds(ownerId, quotes),
    ids.services.getIds(everybody, services),
  ])
  return read
    .map(({ reference, quote_reference, service_reference, ...shown }) => ({
      id: idOf(reference),
      quote_id: quoteIdOf(quote_reference),
      service_id: serviceIdOf(service_reference),
      ...shown,
    }))
    .toSorted(newestFirst)
}

type Place = Pick<Purchase, 'released_at' | 'id'>

/** Times on the wire (UTC, milliseconds) sort as strings. */
export function newestFirst(a: Place, b: Place): number {
  if (a.released_at !== b.released_at) return a.released_at < b.released_at ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}
