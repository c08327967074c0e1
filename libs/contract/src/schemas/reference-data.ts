/** Public reference data: what there is to hold, and what it is worth. */

import { z } from 'zod'
import { currency, cursor, dateTime, decimal, limit } from './primitives.ts'

const code = z.string().regex(/^[A-Z0-9]{2,12}$/, { error: 'Send codes of assets, such as EUR or BTC.' })

/** Something that can be held. */
export const asset = z.strictObject({
  code,
  name: z.string(),
  type: z.enum(['fiat', 'crypto']),
  /** Digits after the point. */
  decimals: z.int().min(0).max(36),
})

/** What one of an asset is worth in a currency. */
export const fiatPrice = z.strictObject({ asset: code, currency, price: decimal, as_of: dateTime })

const most = 'Send at most 50 codes of assets, separated by commas.'

/** The query of `GET /v1/reference-data/fiat-prices`. */
export const fiatPricesQuery = z.strictObject({
  /** Codes, separated by commas; all where it is not sent. */
  assets: z
    .string({ error: most })
    .max(700, { error: most })
    .transform((value) => value.split(','))
    .pipe(z.array(code).max(50, { error: most }))
    .optional(),
  currency: currency.default('EUR'),
  cursor,
  limit,
})
