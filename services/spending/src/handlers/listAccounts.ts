/** GET /v1/accounts: the provider's accounts of the owner, in our own pages. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { toPage } from '@financial-agents/contract/cursor'
import type { accountsRoutes } from '@financial-agents/contract/routes/accounts'
import { account } from '@financial-agents/contract/schemas/account'
import { placeOf } from '../accounts/account-reads.ts'
import type { Dependencies } from '../dependencies.ts'

const position = account.pick({ opened_at: true, id: true })

export function listAccounts(dependencies: Dependencies): Handlers<typeof accountsRoutes>['listAccounts'] {
  return async ({ query }, context) => {
    const scope = { list: 'accounts', ownerId: context.principal.owner_id, query }
    const after = dependencies.cursors.read(scope, position, query.cursor)
    const accounts = await dependencies.accountReads.getAccounts(context)
    const rest = after ? accounts.filter((each) => placeOf(each) > placeOf(after)) : accounts
    return toPage(rest, query.limit, ({ opened_at, id }) => dependencies.cursors.write(scope, { opened_at, id }))
  }
}
