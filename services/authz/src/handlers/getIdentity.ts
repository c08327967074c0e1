/**
 * GET /v1/identity: how the owner wants to be shown things. An owner who never signed in, and is only known as the owner
 * of a service account, has no name here and the defaults.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { identityRoutes } from '@financial-agents/contract/routes/identity'
import type { Database } from '@financial-agents/postgres/database'
import { findOwner } from '../store/owners.ts'

const unknown = { display_name: null, locale: 'en', timezone: 'UTC' }

export function getIdentity({ db }: { db: Database }): Handlers<typeof identityRoutes>['getIdentity'] {
  return async (_input, { principal }) => {
    const { display_name, locale, timezone } = (await findOwner(db, principal.owner_id)) ?? unknown
    return { subject: principal.subject, display_name, locale, timezone }
  }
}
