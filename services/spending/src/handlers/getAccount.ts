/**
 * GET /v1/accounts/{account_id}. An account that the provider does not list for the owner gets the same answer as a
 * missing one.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { accountsRoutes } from '@financial-agents/contract/routes/accounts'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Dependencies } from '../dependencies.ts'

export function getAccount(dependencies: Dependencies): Handlers<typeof accountsRoutes>['getAccount'] {
  return async ({ params }, context) => {
    const id = params.account_id.toLowerCase()
    const accounts = isUuid(id) ? await dependencies.accountReads.getAccounts(context) : []
    const account = accounts.find((each) => each.id === id)
    if (account === undefined) throw new Problem('account_not_found')
    return account
  }
}
