/** The fees for a test user's own account number, by currency. */

import type { Money } from './money.ts'
import type { TestUser } from './test-users.ts'

export type AccountNumberTerms = {
  readonly ccy: string
  readonly monthly: Money
  readonly inbound: { readonly fixed: string; readonly basis_points: string }
  readonly settles_in_days: number
}

const inbound: { readonly [Currency in string]?: Omit<AccountNumberTerms, 'ccy' | 'monthly'> } = {
  EUR: { inbound: { fixed: '0.00', basis_points: '0' }, settles_in_days: 0 },
  GBP: { inbound: { fixed: '0.00', basis_points: '5' }, settles_in_days: 0 },
  PLN: { inbound: { fixed: '1.00', basis_points: '10' }, settles_in_days: 1 },
  USD: { inbound: { fixed: '0.50', basis_points: '12.5' }, settles_in_days: 2 },
}

/** Free in the test user's own currency. The other currencies of the test user's cards cost a fee. */
export function termsOf({ currency, cards }: TestUser): readonly AccountNumberTerms[] {
  return cards.currencies.flatMap((ccy) => {
    const terms = inbound[ccy]
    const monthly = { value: ccy === currency ? '0.00' : '2.00', ccy: currency }
    return terms === undefined ? [] : [{ ccy, monthly, ...terms }]
  })
}
