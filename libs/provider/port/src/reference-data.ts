/** The port's reads of assets, prices and fees, in the wire names of the API. */

import type { Money } from './account-reads.ts'
import type { AnonymousCallContext } from './port.ts'

export type Asset = {
  readonly code: string
  readonly name: string
  readonly type: 'fiat' | 'crypto'
  readonly decimals: number
}

export type FiatPricesQuery = AnonymousCallContext & {
  /** ISO 4217. */
  readonly currency: string
}

export type FiatPrice = {
  readonly asset: string
  readonly currency: string
  readonly price: string
  /** RFC 3339. */
  readonly as_of: string
}

/** Fees of a virtual account: the price of receiving payments on an account number of one's own. */
export type VirtualAccountEconomics = {
  readonly currency: string
  readonly monthly_fee: Money
  readonly inbound_fee_fixed: string
  readonly inbound_fee_basis_points: string
  readonly settlement_days: number
}
