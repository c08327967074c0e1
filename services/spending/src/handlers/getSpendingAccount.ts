/** GET /v1/spending-account: the amount that the owner can spend, the promotional credit, and the amount owed. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { Dependencies } from '../dependencies.ts'

export function getSpendingAccount(dependencies: Dependencies): Handlers<typeof spendingRoutes>['getSpendingAccount'] {
  return (_input, context) => dependencies.spendingAccountRead.get(context)
}
