/** Assets and their prices, in the names of the API. They are the same for everybody. */

import { assetType } from '@financial-agents/contract/schemas/reference-data'
import { z } from 'zod'
import { currency, type DataOf, decimal, timestamp } from './primitives.ts'

const assetCode = z
  .string()
  .regex(/^[A-Z0-9]{2,12}$/)
  .describe('The code of the asset.')

const asset = z.object({
  code: assetCode,
  name: z.string().min(1).max(200).describe('The name of the asset.'),
  type: z.enum(assetType.options).describe('The type of the asset.'),
  decimals: z.int().min(0).max(36).describe('The decimal places.'),
})

export type Asset = DataOf<typeof asset>

export const assets = z.array(asset).max(1_000).describe('All assets, each once.')

export const fiatPricesQuery = z.object({ currency: currency.describe('The currency of the prices.') })

const fiatPrice = z.object({
  asset: assetCode,
  currency: currency.describe('The currency of the query.'),
  price: decimal.describe('The price of one unit.'),
  as_of: timestamp.describe('The time of the price.'),
})

export type FiatPrice = DataOf<typeof fiatPrice>

export const fiatPrices = z
  .array(fiatPrice)
  .max(1_000)
  .describe('At most one price for each asset. Empty if there are none in the currency.')
