/** Validates whether the grant's policy requires the owner to confirm a withdrawal. */

import { compareDecimals } from '@financial-agents/contract/decimals'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'

type Money = { amount: string; currency: string }

/** An amount in another currency always needs a confirmation, because this service knows no exchange rate. */
export function needsConfirmation({ confirmation }: GrantPolicy, { amount, currency }: Money): boolean {
  return confirmation.some(
    ({ action, above }) =>
      action === 'transfer' &&
      (above === null || above.currency !== currency || compareDecimals(amount, above.amount) > 0),
  )
}
