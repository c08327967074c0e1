/**
 * Assets and prices that the provider states to everybody, cached for as long as they are useful.
 *
 * Invariant: a price is shown in the requested currency, and an asset has one price in it.
 */

import { asset, fiatPrice } from '@financial-agents/contract/schemas/reference-data'
import { checkedAnswer } from '@financial-agents/provider-client/checked-answer'
import { brokenContract, type ProviderReader, type PublicReadContext } from '@financial-agents/provider-client/reader'
import { sanitised } from '@financial-agents/provider-client/sanitised'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Asset, FiatPrice } from '@financial-agents/provider-port/reference-data'
import { z } from 'zod'
import { checkEachOnce } from './each-once.ts'

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

export const assetsKeptMs = 300_000
export const pricesKeptMs = 20_000
const maxCurrencies = 200

const listedAssets = z.array(asset).max(1_000)
const listedPrices = z.array(fiatPrice).max(1_000)

type Options = { provider: Pick<Provider, 'assets' | 'fiatPrices'>; reader: ProviderReader }

export function createReferenceReads({ provider, reader }: Options): ReferenceReads {
  const assets = reader.cachedPublic({
    name: 'assets',
    ttlMs: assetsKeptMs,
    send: async (call) => checkedAnswer(listedAssets, await provider.assets(call), showable),
  })
  const prices = reader.cachedPublic({
    name: 'fiat_prices',
    ttlMs: pricesKeptMs,
    maxEntries: maxCurrencies,
    send: async (call, currency: string) =>
      checkedAnswer(listedPrices, await provider.fiatPrices({ ...call, currency }), (read) =>
        inCurrency(read, currency),
      ),
  })
  return { assets: (context) => assets.get(context), prices: (context, currency) => prices.get(context, currency) }
}

function showable(assets: readonly Asset[]): readonly Asset[] {
  return inOrder(assets, ({ code }) => code).map((asset) => ({ ...asset, name: sanitised(asset.name) }))
}

function inCurrency(prices: readonly FiatPrice[], currency: string): readonly FiatPrice[] {
  if (prices.some((price) => price.currency !== currency))
    throw brokenContract(new Error('prices in another currency than was asked for'))
  return inOrder(prices, ({ asset }) => asset)
}

function inOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  checkEachOnce('an asset', items.map(keyOf))
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
