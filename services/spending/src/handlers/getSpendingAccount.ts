/** GET /v1/spending-account: the amount that the owner can spend, the promotional credit, and the amount owed. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { Parts } from '../parts.ts'

export function getSpendingAccount(parts: Parts): Handlers<typeof spendingRoutes>['getSpendingAccount'] {
  return (_input, context) => parts.spendingAccountRead.get(context)
}
