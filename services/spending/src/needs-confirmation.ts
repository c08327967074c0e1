/** Whether the policy of a grant wants the owner to confirm a withdrawal. Amounts are compared as they are written. */

import { compareDecimals } from '@financial-agents/contract/decimals'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'

type Money = { amount: string; currency: string }

/** An amount in another currency is always confirmed, because no rate is known here. */
export function needsConfirmation({ confirmation }: GrantPolicy, { amount, currency }: Money): boolean {
  return confirmation.some(
    ({ action, above }) =>
      action === 'transfer' &&
      (above === null || above.currency !== currency || compareDecimals(amount, above.amount) > 0),
  )
}
