/** GET /v1/identity: the owner's display preferences. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { identityRoutes } from '@financial-agents/contract/routes/identity'
import type { Database } from '@financial-agents/postgres/database'
import { getOwnerIdentity } from '../store/owners.ts'

export function getIdentity({ db }: { db: Database }): Handlers<typeof identityRoutes>['getIdentity'] {
  return async (_input, { principal }) => ({
    subject: principal.subject,
    ...(await getOwnerIdentity(db, principal.owner_id)),
  })
}
