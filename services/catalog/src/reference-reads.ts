/**
 * Assets and prices that the provider states to everybody, cached for as long as they are useful.
 *
 * Invariant: a price is shown in the requested currency, and an asset has one price in it.
 */

import { createPortRead } from '@financial-agents/provider-client/port-read'
import type { ProviderReader, PublicReadContext } from '@financial-agents/provider-client/reader'
import { sanitised } from '@financial-agents/provider-client/sanitised'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Asset, FiatPrice } from '@financial-agents/provider-port/reference-data'

export type ReferenceReads = {
  /**
   * Returns assets in the order of their codes.
   * @throws Problem provider_unavailable, response_contract_failed
   */
  assets(context: PublicReadContext): Promise<readonly Asset[]>
  /**
   * Returns prices in the order of the assets' codes. The list is empty if the provider has no price in the currency.
   * @throws as `assets`
   */
  prices(context: PublicReadContext, currency: string): Promise<readonly FiatPrice[]>
}

type Options = { provider: Pick<Provider, 'assets' | 'fiatPrices'>; reader: ProviderReader }

export function createReferenceReads({ provider, reader }: Options): ReferenceReads {
  const given = { provider, reader }
  const assets = createPortRead(given, 'assets', showable)
  const prices = createPortRead(given, 'fiatPrices', (read) => inOrder(read, ({ asset }) => asset))
  return { assets: (context) => assets.get(context), prices: (context, currency) => prices.get(context, { currency }) }
}

function showable(assets: readonly Asset[]): readonly Asset[] {
  return inOrder(assets, ({ code }) => code).map((asset) => ({ ...asset, name: sanitised(asset.name) }))
}

function inOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
