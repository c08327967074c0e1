/**
 * GET /v1/reference-data/fiat-prices: the prices of assets in a currency. An asset without a price from the provider is
 * left out, because this service invents no price. The route needs no sign-in, so only prices in the provider's own
 * currencies are read.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { fieldsProblem, type Problem } from '@financial-agents/contract/problem'
import type { referenceDataRoutes } from '@financial-agents/contract/routes/reference-data'
import type { Asset } from '@financial-agents/provider-port/reference-data'
import type { Dependencies } from '../dependencies.ts'
import { everybody } from '../ids.ts'
import { pageByKey } from '../page-by-key.ts'

export function listFiatPrices(dependencies: Dependencies): Handlers<typeof referenceDataRoutes>['listFiatPrices'] {
  return async ({ query }, context) => {
    const { assets, currency } = query
    const known = await dependencies.referenceReads.assets(context)
    if (!known.some(({ code, type }) => type === 'fiat' && code === currency)) throw withoutPrices()
    if (assets) checkAssets(known, assets)
    const prices = await dependencies.referenceReads.prices(context, currency)
    if (prices.length === 0) throw withoutPrices()
    const wanted = assets ? prices.filter(({ asset }) => assets.includes(asset)) : prices
    return pageByKey(dependencies.cursors, { list: 'prices', ownerId: everybody, query }, wanted, ({ asset }) => asset)
  }
}

function withoutPrices(): Problem {
  const message = 'Send a currency in which the provider states prices: a fiat asset of GET /v1/reference-data/assets.'
  return fieldsProblem([{ path: 'currency', message }])
}

function checkAssets(known: readonly Asset[], codes: readonly string[]): void {
  const unknown = codes.filter((code) => !known.some((asset) => asset.code === code))
  if (unknown.length === 0) return
  const message = `Send codes of GET /v1/reference-data/assets; unknown: ${unknown.slice(0, 5).join(', ')}.`
  throw fieldsProblem([{ path: 'assets', message }])
}
