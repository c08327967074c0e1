/** The port's reads of accounts, the spending account and withdrawal limits, in the wire names of the API. */

import type { CallContext } from './port.ts'

/** An amount as a decimal string, and its ISO 4217 currency. */
export type Money = { readonly amount: string; readonly currency: string }

export type ProviderAccount = {
  /** The provider's own reference; never shown as it is. */
  readonly reference: string
  readonly name: string
  readonly type: 'current' | 'savings' | 'virtual'
  readonly currency: string
  readonly status: 'active' | 'restricted' | 'closed'
  readonly balance: { readonly available: Money; readonly current: Money }
  readonly masked_number: string | null
  readonly opened_at: string | null
}

/** Contract, "Spending account". */
export type SpendingAccount = { readonly held: Money; readonly promotional_credit: Money; readonly owed: Money }

export type WithdrawalLimitsQuery = CallContext & {
  /** The payout schema's id. */
  readonly schema: string
  readonly currency?: string | undefined
  readonly accountType?: string | undefined
}

/** Contract, "Withdrawal limits". */
export type WithdrawalLimits = {
  readonly currency: string
  readonly minimum_amount: string
  readonly maximum_amount: string
  readonly fee_fixed: string
  readonly fee_basis_points: string
  readonly rail: string
  readonly memo: {
    readonly supported: boolean
    readonly minimum_characters: number
    readonly maximum_characters: number
  }
  readonly purpose_codes: readonly string[]
}
