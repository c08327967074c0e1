/** Assets, prices and fees of account numbers. */

import { z } from 'zod'
import { currency, decimal, money, timestamp } from './primitives.ts'

const ticker = z
  .string()
  .regex(/^[A-Z0-9]{2,12}$/)
  .describe('The code of the asset.')

export const assets = z
  .object({
    assets: z
      .array(
        z.object({
          ticker,
          title: z.string().min(1).max(200).describe('The name of the asset.'),
          sort: z.enum(['money', 'coin']).describe('`coin`: a crypto asset.'),
          digits: z.int().min(0).max(36).describe('The decimal places.'),
        }),
      )
      .max(1_000)
      .describe('All assets, each once.'),
  })
  .describe('The assets that the provider knows.')

export const pricesQuery = z.object({ ccy: currency.describe('The currency of the prices.') })

export const prices = z
  .object({
    prices: z
      .array(
        z.object({
          ticker,
          ccy: currency.describe('The currency that was asked for.'),
          price: decimal,
          at: timestamp.describe('The time of the price.'),
        }),
      )
      .max(1_000)
      .describe('At most one for each asset. Empty if there are none in the currency.'),
  })
  .describe('Prices of assets in one currency.')

export const accountNumberTerms = z
  .object({
    terms: z
      .array(
        z.object({
          ccy: currency,
          monthly: money.describe('The fee for each month.'),
          inbound: z
            .object({ fixed: decimal, basis_points: decimal.describe('Hundredths of a percent.') })
            .describe('The fee for each amount that arrives.'),
          settles_in_days: z.int().min(0).max(365).describe('The days until an amount is there.'),
        }),
      )
      .max(200)
      .describe('One entry for each currency.'),
  })
  .describe('The terms of account numbers of the person’s own.')
