/** Accounts, the provider's withdrawal limits, and the spending account. */

import { z } from 'zod'
import { writtenAmount } from '../minor-units.ts'
import { documented } from './documented.ts'
import { currency, dateTime, decimal, extensible, id, inDigits, money, rail } from './primitives.ts'
import { eur, ids } from './story.ts'

/** An amount that may be negative, for example a balance. */
export const signedMoney = z
  .strictObject({
    amount: z
      .string()
      .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/)
      .describe('A decimal string, with the digits of the currency; negative if more is owed than held.'),
    currency: currency.describe('ISO 4217.'),
  })
  .overwrite(inDigits)
  .register(documented, { id: 'SignedMoney' })

export const accountType = extensible(z.enum(['current', 'savings', 'virtual'])).register(documented, {
  id: 'AccountType',
})

export const accountStatus = z.enum(['active', 'restricted', 'closed']).register(documented, { id: 'AccountStatus' })

const accountBalance = z
  .strictObject({
    available: signedMoney.describe('The amount that can be spent now.'),
    current: signedMoney.describe('The booked amount.'),
  })
  .register(documented, { id: 'AccountBalance' })

/** An account that exists at the provider. */
export const account = z
  .strictObject({
    id: id.describe('The identifier of the account in this API.'),
    name: z.string().describe('The name of the account as the owner knows it.'),
    type: accountType.describe('The type of the account.'),
    currency: currency.describe('ISO 4217.'),
    status: accountStatus.describe('The status of the account.'),
    balance: accountBalance.describe('The balance of the account.'),
    masked_number: z.string().nullable().describe('The account number, with at most its last four characters legible.'),
    opened_at: dateTime.nullable().describe('The time at which the account was opened, if the provider states it.'),
  })
  .register(documented, {
    id: 'Account',
    examples: [
      {
        id: ids.account,
        name: 'Everyday',
        type: 'current',
        currency: 'EUR',
        status: 'active',
        balance: { available: eur('1834.20'), current: eur('1900.00') },
        masked_number: '••••0154',
        opened_at: '2024-03-01T00:00:00.000Z',
      },
    ],
  })

export type Account = z.output<typeof account>

const memoLength = z.int().min(0).max(8192)

/** The lengths that the memo of a withdrawal may have. */
const memoLimits = z
  .strictObject({
    supported: z.boolean().describe('True if a memo is allowed.'),
    minimum_characters: memoLength.describe('The minimum number of characters.'),
    maximum_characters: memoLength.describe('The maximum number of characters.'),
  })
  .register(documented, { id: 'MemoLimits' })

/** The provider's limits for one payout schema (contract, "Withdrawal limits"). They grant nothing. */
export const withdrawalLimits = z
  .strictObject({
    currency: currency.describe('The currency of the amounts here.'),
    minimum_amount: decimal.describe('The minimum amount of a withdrawal.'),
    maximum_amount: decimal.describe('The maximum amount of a withdrawal.'),
    fee_fixed: decimal.describe('The fixed part of the fee.'),
    fee_basis_points: decimal.describe('The variable part of the fee, in hundredths of a percent of the amount.'),
    rail: rail.describe('The payout method.'),
    memo: memoLimits.describe('The memo of a withdrawal.'),
    purpose_codes: z
      .array(z.string().min(1).max(128))
      .max(256)
      .describe('The purposes of which a withdrawal may name one.'),
  })
  .overwrite((limits) => ({
    ...limits,
    minimum_amount: writtenAmount(limits.minimum_amount, limits.currency),
    maximum_amount: writtenAmount(limits.maximum_amount, limits.currency),
    fee_fixed: writtenAmount(limits.fee_fixed, limits.currency),
  }))
  .register(documented, {
    id: 'WithdrawalLimits',
    examples: [
      {
        currency: 'EUR',
        minimum_amount: '1.00',
        maximum_amount: '5000.00',
        fee_fixed: '0.50',
        fee_basis_points: '0',
        rail: 'sepa',
        memo: { supported: true, minimum_characters: 0, maximum_characters: 140 },
        purpose_codes: ['rent', 'salary'],
      },
    ],
  })

/** The amounts that the owner can spend, was credited and owes (contract, "Spending account"). */
export const spendingAccount = z
  .strictObject({
    held: money.describe('The amount that can be spent.'),
    promotional_credit: money.describe('The promotional credit.'),
    owed: money.describe('The amount that is owed.'),
  })
  .register(documented, {
    id: 'SpendingAccount',
    examples: [{ held: eur('1250.00'), promotional_credit: eur('10.00'), owed: eur('0.00') }],
  })

/** The amounts that the owner can spend, was credited and owes. */
export type SpendingAccount = z.output<typeof spendingAccount>

/** The provider's limits for one payout schema. */
export type WithdrawalLimits = z.output<typeof withdrawalLimits>
