/** The limits of a rail and a test user for one withdrawal. The provider states them beforehand and enforces them. */

import type { WithdrawalLimits } from '@financial-agents/provider-port/account-reads'
import type { PayoutSchema } from '@financial-agents/provider-port/payout-schemas'
import { BigNumber } from 'bignumber.js'
import type { TestUser } from './test-users.ts'

/** The type of account whose limits the provider states. */
export const limitedAccountType = 'current'

type RailTerms = Omit<WithdrawalLimits, 'currency' | 'rail'> & {
  /** The time until a transfer is final, by the provider's clock. */
  readonly settlesAfterMs: number
}

const memo = (maximum_characters: number) => ({ supported: true, minimum_characters: 0, maximum_characters })

const instant: RailTerms = {
  minimum_amount: '0.01',
  maximum_amount: '100000.00',
  fee_fixed: '0.00',
  fee_basis_points: '0',
  memo: memo(140),
  purpose_codes: [],
  settlesAfterMs: 0,
}

const rails: { readonly [Rail in string]?: RailTerms } = {
  'sepa.credit_transfer': instant,
  faster_payments: { ...instant, maximum_amount: '25000.00', fee_fixed: '0.20' },
  ach: { ...instant, minimum_amount: '1.00', memo: memo(80), settlesAfterMs: 60_000 },
  swift: {
    ...instant,
    minimum_amount: '25.00',
    maximum_amount: '50000.00',
    fee_fixed: '15.00',
    fee_basis_points: '25.5',
    purpose_codes: ['family_support', 'goods', 'salary', 'services'],
    settlesAfterMs: 120_000,
  },
}

function termsOf({ rail }: PayoutSchema): RailTerms {
  return rails[rail] ?? instant
}

export function limitsOf(payoutSchema: PayoutSchema, testUser: TestUser): WithdrawalLimits {
  const { settlesAfterMs: _, ...terms } = termsOf(payoutSchema)
  const { currency, rail } = payoutSchema
  const maximum_amount = BigNumber.min(terms.maximum_amount, testUser.highestTransfer).toFixed(2)
  return { ...terms, currency, rail, maximum_amount }
}

export function settlesAfterMs(payoutSchema: PayoutSchema): number {
  return termsOf(payoutSchema).settlesAfterMs
}

/** The reason why a transfer exceeds the limits; undefined if it does not. */
export function findExcess(limits: WithdrawalLimits, amount: string, memo: string | null): string | undefined {
  if (new BigNumber(amount).lt(limits.minimum_amount)) return 'under_limit'
  if (new BigNumber(amount).gt(limits.maximum_amount)) return 'over_limit'
  const length = Array.from(memo ?? '').length
  const { minimum_characters, maximum_characters } = limits.memo
  return length < minimum_characters || length > maximum_characters ? 'memo_length' : undefined
}
