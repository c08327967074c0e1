/** The fees for a test user's own account number, by currency. */

import type { VirtualAccountEconomics } from '@financial-agents/provider-port/account-reads'
import type { TestUser } from './test-users.ts'

const inbound: { readonly [Currency in string]?: Omit<VirtualAccountEconomics, 'currency' | 'monthly_fee'> } = {
  EUR: { inbound_fee_fixed: '0.00', inbound_fee_basis_points: '0', settlement_days: 0 },
  GBP: { inbound_fee_fixed: '0.00', inbound_fee_basis_points: '5', settlement_days: 0 },
  PLN: { inbound_fee_fixed: '1.00', inbound_fee_basis_points: '10', settlement_days: 1 },
  USD: { inbound_fee_fixed: '0.50', inbound_fee_basis_points: '12.5', settlement_days: 2 },
}

/** Free in the test user's own currency. The other currencies of the test user's cards cost a fee. */
export function virtualAccountFeesOf({ currency: own, cards }: TestUser): readonly VirtualAccountEconomics[] {
  return cards.currencies.flatMap((currency) => {
    const fees = inbound[currency]
    const monthly_fee = { amount: currency === own ? '0.00' : '2.00', currency: own }
    return fees === undefined ? [] : [{ currency, monthly_fee, ...fees }]
  })
}
