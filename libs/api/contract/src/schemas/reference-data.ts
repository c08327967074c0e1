/** Public reference data: assets and their prices. */

import { z } from 'zod'
import { documented } from './documented.ts'
import { currency, cursor, dateTime, decimal, extensible, limit } from './primitives.ts'

const code = z.string().regex(/^[A-Z0-9]{2,12}$/, { error: 'Send codes of assets, such as EUR or BTC.' })

export const assetType = extensible(z.enum(['fiat', 'crypto'])).register(documented, { id: 'AssetType' })

export const asset = z
  .strictObject({
    code: code.describe('The code of the asset.'),
    name: z.string().describe('The display name.'),
    type: assetType.describe('The kind of asset.'),
    decimals: z.int().min(0).max(36).describe('The number of digits after the point.'),
  })
  .register(documented, { id: 'Asset', examples: [{ code: 'BTC', name: 'Bitcoin', type: 'crypto', decimals: 8 }] })

export type Asset = z.output<typeof asset>

/** The price of one unit of an asset in a currency. */
export const fiatPrice = z
  .strictObject({
    asset: code.describe('The asset.'),
    currency: currency.describe('The currency of the price (ISO 4217).'),
    price: decimal.describe('The price of one unit of the asset.'),
    as_of: dateTime.describe('The time of the price.'),
  })
  .register(documented, {
    id: 'FiatPrice',
    examples: [{ asset: 'BTC', currency: 'EUR', price: '61250.40', as_of: '2026-11-20T09:00:00.000Z' }],
  })

export type FiatPrice = z.output<typeof fiatPrice>

const maxAssets = 50
const most = 'Send at most 50 codes of assets, separated by commas.'

/** The query of `GET /v1/reference-data/fiat-prices`. */
export const fiatPricesQuery = z.strictObject({
  assets: z
    .string({ error: most })
    .max(700, { error: most })
    .transform((value) => value.split(','))
    .pipe(z.array(code).max(maxAssets, { error: most }))
    .optional()
    .meta({
      description: 'At most 50 codes, separated by commas; by default all assets.',
      pattern: `^[A-Z0-9]{2,12}(?:,[A-Z0-9]{2,12}){0,${maxAssets - 1}}$`,
    }),
  currency: currency.default('EUR').describe('The currency of the prices (ISO 4217).'),
  cursor,
  limit,
})
