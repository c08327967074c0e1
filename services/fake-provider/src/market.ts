/** Assets and their prices, fixed and invented by the provider, and the same for all test users. */

import { BigNumber } from 'bignumber.js'
import { findRate } from './money.ts'

export type Asset = {
  readonly ticker: string
  readonly title: string
  readonly sort: 'money' | 'coin'
  /** The number of digits after the point. */
  readonly digits: number
}

export type Price = { readonly ticker: string; readonly ccy: string; readonly price: string; readonly at: string }

export const assets: readonly Asset[] = [
  { ticker: 'EUR', title: 'Euro', sort: 'money', digits: 2 },
  { ticker: 'GBP', title: 'Pound sterling', sort: 'money', digits: 2 },
  { ticker: 'PLN', title: 'Polish złoty', sort: 'money', digits: 2 },
  { ticker: 'USD', title: 'US dollar', sort: 'money', digits: 2 },
  { ticker: 'BTC', title: 'Bitcoin', sort: 'coin', digits: 8 },
  { ticker: 'ETH', title: 'Ether', sort: 'coin', digits: 18 },
  { ticker: 'SOL', title: 'Solana', sort: 'coin', digits: 9 },
  { ticker: 'USDC', title: 'USD Coin', sort: 'coin', digits: 6 },
]

/** The prices in euros. */
const coins: { readonly [Ticker in string]?: string } = { BTC: '58200', ETH: '2410.5', SOL: '131.2', USDC: '0.92' }

/**
 * The prices of all assets in the currency, as of the last whole minute. Empty if the provider has no rate for the
 * currency.
 */
export function pricesIn(ccy: string, nowMs: number): readonly Price[] {
  const perEuro = findRate('EUR', ccy)
  if (perEuro === undefined) return []
  const at = new Date(Math.floor(nowMs / 60_000) * 60_000).toISOString()
  return assets.map(({ ticker, sort }) => {
    const inEuros = sort === 'coin' ? new BigNumber(coins[ticker] ?? 0) : findRate(ticker, 'EUR')
    const price = ticker === ccy ? new BigNumber(1) : perEuro.times(inEuros ?? 0)
    return { ticker, ccy, price: price.decimalPlaces(6).toFixed(), at }
  })
}
