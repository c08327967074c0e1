/** Accounts, the spending account, limits of withdrawals and fees of virtual accounts, in the names of the API. */

import { writtenAmount } from '@financial-agents/contract/minor-units'
import { accountStatus, accountType } from '@financial-agents/contract/schemas/account'
import { inDigits } from '@financial-agents/contract/schemas/primitives'
import { z } from 'zod'
import { currency, type DataOf, decimal, money, rail, reference, text, timestamp } from './primitives.ts'

/** An amount that may be below zero. */
const signedMoney = z
  .object({
    amount: z
      .string()
      .max(64)
      .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, { abort: true })
      .describe('A decimal, negative if the account is overdrawn.'),
    currency,
  })
  .overwrite(inDigits)

const account = z.object({
  reference,
  name: z.string().min(1).max(200).describe('The name of the account.'),
  type: z.enum(accountType.options).describe('The type of the account.'),
  currency,
  status: z.enum(accountStatus.options).describe('The status of the account.'),
  balance: z.object({
    available: signedMoney.describe('The amount that can be spent now.'),
    current: signedMoney.describe('The booked amount.'),
  }),
  masked_number: z
    .string()
    .max(100)
    .regex(/^\P{N}*\p{N}{0,4}$/u)
    .nullable()
    .describe('The number of the account, with at most its last four digits.'),
  opened_at: timestamp.nullable().describe('The time at which it was opened.'),
})

export type ProviderAccount = DataOf<typeof account>

export const accounts = z.array(account).max(1_000).describe('All accounts of the person.')

/** Contract, "Spending account". */
export const spendingAccount = z
  .object({
    held: money.describe('The money that can be spent, without promotional credit.'),
    promotional_credit: money.describe('The credit that the provider gave.'),
    owed: money.describe('The amount that the person owes.'),
  })
  .describe('The money from which transfers are paid. No amount is below zero.')

export type SpendingAccount = DataOf<typeof spendingAccount>

const characters = z.int().min(0).max(8192)

export const withdrawalLimitsQuery = z.object({
  schema: text(1, 512).describe('The id of a payout schema.'),
  currency: currency.optional().describe('Answer null if the limits are in another currency.'),
  account_type: text(0, 200).optional().describe('Answer null if the limits are of another type of account.'),
})

/** Contract, "Withdrawal limits". */
export const withdrawalLimits = z
  .object({
    currency,
    minimum_amount: decimal.describe('The minimum amount of one transfer.'),
    maximum_amount: decimal.describe('The maximum amount of one transfer.'),
    fee_fixed: decimal.describe('The fixed part of the fee, in addition to the amount.'),
    fee_basis_points: decimal.describe('The variable part of the fee, in hundredths of a percent of the amount.'),
    rail,
    memo: z
      .object({
        supported: z.boolean().describe('True if a memo can be sent.'),
        minimum_characters: characters.describe('The minimum number of characters.'),
        maximum_characters: characters.describe('The maximum number of characters.'),
      })
      .describe('The limits of the memo.'),
    purpose_codes: z
      .array(z.string().min(1).max(128))
      .max(256)
      .describe('The purposes of which a transfer may name one; empty: any.'),
  })
  .overwrite((limits) => ({
    ...limits,
    minimum_amount: writtenAmount(limits.minimum_amount, limits.currency),
    maximum_amount: writtenAmount(limits.maximum_amount, limits.currency),
    fee_fixed: writtenAmount(limits.fee_fixed, limits.currency),
  }))
  .describe('The limits of one transfer. They promise nothing: each transfer is validated again.')

export type WithdrawalLimits = DataOf<typeof withdrawalLimits>

const virtualAccountFees = z
  .object({
    currency,
    monthly_fee: money.describe('The fee for each month.'),
    inbound_fee_fixed: decimal.describe('The fixed part of the fee for each payment that arrives.'),
    inbound_fee_basis_points: decimal.describe('The variable part of the fee, in hundredths of a percent.'),
    settlement_days: z.int().min(0).max(365).describe('The days until a payment can be spent.'),
  })
  .overwrite((fees) => ({ ...fees, inbound_fee_fixed: writtenAmount(fees.inbound_fee_fixed, fees.currency) }))

/** Fees of a virtual account: the price of receiving payments on an account number of one's own. */
export type VirtualAccountEconomics = DataOf<typeof virtualAccountFees>

export const virtualAccountEconomics = z.array(virtualAccountFees).max(200).describe('One entry for each currency.')
