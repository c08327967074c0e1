/**
 * GET /v1/reference-data/fiat-prices: what assets are worth in a currency. An asset that the provider states no price for
 * is left out, because nothing here makes one up.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { fieldsProblem } from '@financial-agents/contract/problem'
import type { referenceDataRoutes } from '@financial-agents/contract/routes/reference-data'
import type { PublicReadContext } from '@financial-agents/provider/reader'
import { everybody } from '../ids.ts'
import { pageByKey } from '../page-by-key.ts'
import type { Parts } from '../parts.ts'

export function listFiatPrices(parts: Parts): Handlers<typeof referenceDataRoutes>['listFiatPrices'] {
  return async ({ query }, context) => {
    const { assets, currency } = query
    if (assets) await checkAssets(parts, context, assets)
    const prices = await parts.referenceReads.prices(context, currency)
    if (prices.length === 0) {
      const message = 'Send a currency in which the provider states prices, such as EUR.'
      throw fieldsProblem([{ path: 'currency', message }])
    }
    const wanted = assets ? prices.filter(({ asset }) => assets.includes(asset)) : prices
    return pageByKey(parts.cursors, { list: 'prices', ownerId: everybody, query }, wanted, ({ asset }) => asset)
  }
}

async function checkAssets(parts: Parts, context: PublicReadContext, codes: readonly string[]): Promise<void> {
  const known = new Set((await parts.referenceReads.assets(context)).map(({ code }) => code))
  const unknown = codes.filter((code) => !known.has(code))
  if (unknown.length === 0) return
  const message = `Send codes of GET /v1/reference-data/assets; unknown: ${unknown.slice(0, 5).join(', ')}.`
  throw fieldsProblem([{ path: 'assets', message }])
}
