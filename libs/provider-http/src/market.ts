/** Assets, prices and fees of account numbers: a provider's answers in the API's shapes. */

import type { ReadResult } from '@financial-agents/provider/port'
import type {
  Asset,
  FiatPrice,
  FiatPricesQuery,
  VirtualAccountEconomics,
} from '@financial-agents/provider/reference-data'
import { z } from 'zod'
import type { ExchangeResult } from './exchange.ts'
import { broken, listOf, mapped } from './read-answers.ts'
import { WireCurrency, WireDecimal, WireMoment, WireMoney } from './records.ts'

const Ticker = z.string().regex(/^[A-Z0-9]{2,12}$/)

const Assets = z.object({
  assets: z
    .array(
      z.object({
        ticker: Ticker,
        title: z.string().min(1).max(200),
        sort: z.enum(['money', 'coin']),
        digits: z.int().min(0).max(36),
      }),
    )
    .max(1_000),
})

const Prices = z.object({
  prices: z.array(z.object({ ticker: Ticker, ccy: WireCurrency, price: WireDecimal, at: WireMoment })).max(1_000),
})

const Terms = z.object({
  terms: z
    .array(
      z.object({
        ccy: WireCurrency,
        monthly: WireMoney,
        inbound: z.object({ fixed: WireDecimal, basis_points: WireDecimal }),
        settles_in_days: z.int().min(0).max(365),
      }),
    )
    .max(200),
})

export function assetsOf(result: ExchangeResult): ReadResult<readonly Asset[]> {
  return mapped(listOf(result, Assets), ({ assets }) =>
    assets.map(({ ticker, title, sort, digits }) => ({
      code: ticker,
      name: title,
      type: sort === 'money' ? 'fiat' : 'crypto',
      decimals: digits,
    })),
  )
}

export function fiatPricesOf(result: ExchangeResult, { currency }: FiatPricesQuery): ReadResult<readonly FiatPrice[]> {
  const answer = listOf(result, Prices)
  if (answer.type === 'ok' && answer.data.prices.some(({ ccy }) => ccy !== currency)) {
    return broken('prices in another currency')
  }
  return mapped(answer, ({ prices }) =>
    prices.map(({ ticker, ccy, price, at }) => ({ asset: ticker, currency: ccy, price, as_of: at })),
  )
}

export function virtualAccountEconomicsOf(result: ExchangeResult): ReadResult<readonly VirtualAccountEconomics[]> {
  return mapped(listOf(result, Terms), ({ terms }) =>
    terms.map(({ ccy, monthly, inbound, settles_in_days }) => ({
      currency: ccy,
      monthly_fee: monthly,
      inbound_fee_fixed: inbound.fixed,
      inbound_fee_basis_points: inbound.basis_points,
      settlement_days: settles_in_days,
    })),
  )
}
