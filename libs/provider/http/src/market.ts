/** Assets, prices and fees of account numbers: a provider's answers in the API's shapes. */

import { accountNumberTerms, assets, prices } from '@financial-agents/provider-api/shapes/market'
import type { ReadResult } from '@financial-agents/provider-port/port'
import type {
  Asset,
  FiatPrice,
  FiatPricesQuery,
  VirtualAccountEconomics,
} from '@financial-agents/provider-port/reference-data'
import type { ExchangeResult } from './exchange.ts'
import { broken, listOf, mapped } from './read-answers.ts'
import { moneyOf, timestampOf } from './records.ts'

export function assetsOf(result: ExchangeResult): ReadResult<readonly Asset[]> {
  return mapped(listOf(result, assets), (answer) =>
    answer.assets.map(({ ticker, title, sort, digits }) => ({
      code: ticker,
      name: title,
      type: sort === 'money' ? 'fiat' : 'crypto',
      decimals: digits,
    })),
  )
}

export function fiatPricesOf(result: ExchangeResult, { currency }: FiatPricesQuery): ReadResult<readonly FiatPrice[]> {
  const answer = listOf(result, prices)
  if (answer.type === 'ok' && answer.data.prices.some(({ ccy }) => ccy !== currency)) {
    return broken('prices in another currency')
  }
  return mapped(answer, (data) =>
    data.prices.map(({ ticker, ccy, price, at }) => ({ asset: ticker, currency: ccy, price, as_of: timestampOf(at) })),
  )
}

export function virtualAccountEconomicsOf(result: ExchangeResult): ReadResult<readonly VirtualAccountEconomics[]> {
  return mapped(listOf(result, accountNumberTerms), ({ terms }) =>
    terms.map(({ ccy, monthly, inbound, settles_in_days }) => ({
      currency: ccy,
      monthly_fee: moneyOf(monthly),
      inbound_fee_fixed: inbound.fixed,
      inbound_fee_basis_points: inbound.basis_points,
      settlement_days: settles_in_days,
    })),
  )
}
