/** `int.onboarding.credentials` returns credentials as they are stored: sealed in the context of the binding id. */

import type { Calls } from '@financial-agents/bus/calls'
import type { Queryable } from '@financial-agents/postgres/database'
import { listSealedCredentials } from '../bindings-store.ts'

type Credentials = Calls['int.onboarding.credentials']

export function credentials(db: Queryable) {
  return async (request: Credentials['request']): Promise<Credentials['answer']> => {
    const rows = await listSealedCredentials(db, request.binding_ids)
    // PostgreSQL breaks base64 into lines.
    return rows.map((row) => ({ ...row, credentials_sealed: row.credentials_sealed.replaceAll('\n', '') }))
  }
}
