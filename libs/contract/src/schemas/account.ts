/** Accounts, what the provider states about withdrawals, and the spending account. */

import { z } from 'zod'
import { currency, dateTime, decimal, id, money, rail } from './primitives.ts'

/** An amount that may be below zero, as a balance can. */
const balance = z.strictObject({ amount: z.string().regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/), currency })

/** An account that exists at the provider. */
export const account = z.strictObject({
  id,
  name: z.string(),
  type: z.enum(['current', 'savings', 'virtual']),
  currency,
  status: z.enum(['active', 'restricted', 'closed']),
  balance: z.strictObject({ available: balance, current: balance }),
  /** At most the last four characters are legible. */
  masked_number: z.string().nullable(),
  opened_at: dateTime.nullable(),
})

/** An account that exists at the provider. */
export type Account = z.output<typeof account>

const memoLength = z.int().min(0).max(8192)

/** What the provider states for one payout schema (contract, "Withdrawal limits"). It grants nothing. */
export const withdrawalLimits = z.strictObject({
  currency,
  minimum_amount: decimal,
  maximum_amount: decimal,
  fee_fixed: decimal,
  fee_basis_points: decimal,
  rail,
  memo: z.strictObject({
    supported: z.boolean(),
    minimum_characters: memoLength,
    maximum_characters: memoLength,
  }),
  purpose_codes: z.array(z.string().min(1).max(128)).max(256),
})

/** What the owner can spend, was given and owes (contract, "Spending account"). */
export const spendingAccount = z.strictObject({ held: money, promotional_credit: money, owed: money })
