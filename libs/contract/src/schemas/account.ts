/** Accounts, the provider's withdrawal limits, and the spending account. */

import { z } from 'zod'
import { currency, dateTime, decimal, id, money, rail } from './primitives.ts'

/** An amount that may be negative, for example a balance. */
const balance = z.strictObject({
  amount: z
    .string()
    .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/)
    .describe('A decimal string, below zero where more is owed than held.'),
  currency: currency.describe('ISO 4217.'),
})

/** An account that exists at the provider. */
export const account = z.strictObject({
  id: id.describe('The account, by an identifier of this API.'),
  name: z.string().describe('As the owner knows it.'),
  type: z.enum(['current', 'savings', 'virtual']).describe('What kind of account it is.'),
  currency: currency.describe('ISO 4217.'),
  status: z.enum(['active', 'restricted', 'closed']).describe('Whether it can be used.'),
  balance: z
    .strictObject({
      available: balance.describe('What can be spent now.'),
      current: balance.describe('What is booked.'),
    })
    .describe('What is in it.'),
  masked_number: z.string().nullable().describe('At most the last four characters are legible.'),
  opened_at: dateTime.nullable().describe('When it was opened, where the provider says so.'),
})

/** An account that exists at the provider. */
export type Account = z.output<typeof account>

const memoLength = z.int().min(0).max(8192)

/** The provider's limits for one payout schema (contract, "Withdrawal limits"). They grant nothing. */
export const withdrawalLimits = z.strictObject({
  currency: currency.describe('The currency of the amounts here.'),
  minimum_amount: decimal.describe('The least that can be withdrawn at a time.'),
  maximum_amount: decimal.describe('The most that can be withdrawn at a time.'),
  fee_fixed: decimal.describe('The fixed part of the fee.'),
  fee_basis_points: decimal.describe('The variable part of the fee, in hundredths of a percent of the amount.'),
  rail: rail.describe('The way in which it is paid out.'),
  memo: z
    .strictObject({
      supported: z.boolean().describe('Whether one can be sent.'),
      minimum_characters: memoLength.describe('The fewest characters.'),
      maximum_characters: memoLength.describe('The most characters.'),
    })
    .describe('What may go with a withdrawal.'),
  purpose_codes: z.array(z.string().min(1).max(128)).max(256).describe('The purposes of which one can be named.'),
})

/** The amounts that the owner can spend, was credited and owes (contract, "Spending account"). */
export const spendingAccount = z.strictObject({
  held: money.describe('What can be spent.'),
  promotional_credit: money.describe('What was given.'),
  owed: money.describe('What is owed.'),
})
