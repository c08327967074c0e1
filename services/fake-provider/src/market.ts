/** Assets and their prices, fixed and invented by the provider, and the same for all test users. */

import type { Asset, FiatPrice } from '@financial-agents/provider-port/reference-data'
import { BigNumber } from 'bignumber.js'
import { findRate } from './money.ts'

export const assets: readonly Asset[] = [
  { code: 'EUR', name: 'Euro', type: 'fiat', decimals: 2 },
  { code: 'GBP', name: 'Pound sterling', type: 'fiat', decimals: 2 },
  { code: 'PLN', name: 'Polish złoty', type: 'fiat', decimals: 2 },
  { code: 'USD', name: 'US dollar', type: 'fiat', decimals: 2 },
  { code: 'BTC', name: 'Bitcoin', type: 'crypto', decimals: 8 },
  { code: 'ETH', name: 'Ether', type: 'crypto', decimals: 18 },
  { code: 'SOL', name: 'Solana', type: 'crypto', decimals: 9 },
  { code: 'USDC', name: 'USD Coin', type: 'crypto', decimals: 6 },
]

/** The prices in euros. */
const coins: { readonly [Code in string]?: string } = { BTC: '58200', ETH: '2410.5', SOL: '131.2', USDC: '0.92' }

/**
 * The prices of all assets in the currency, as of the last whole minute. Empty if the provider has no rate for the
 * currency.
 */
export function pricesIn(currency: string, nowMs: number): readonly FiatPrice[] {
  const perEuro = findRate('EUR', currency)
  if (perEuro === undefined) return []
  const as_of = new Date(Math.floor(nowMs / 60_000) * 60_000).toISOString()
  return assets.map(({ code, type }) => {
    const inEuros = type === 'crypto' ? new BigNumber(coins[code] ?? 0) : findRate(code, 'EUR')
    const price = code === currency ? new BigNumber(1) : perEuro.times(inEuros ?? 0)
    return { asset: code, currency, price: price.decimalPlaces(6).toFixed(), as_of }
  })
}
