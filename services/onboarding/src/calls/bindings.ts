/** `int.onboarding.bindings` returns the binding of each owner. The answer omits owners without any. */

import type { Calls } from '@financial-agents/bus/calls'
import type { Queryable } from '@financial-agents/postgres/database'
import { listCurrentBindings } from '../bindings-store.ts'

type Bindings = Calls['int.onboarding.bindings']

export function bindings(db: Queryable) {
  return (request: Bindings['request']): Promise<Bindings['answer']> => listCurrentBindings(db, request.owner_ids)
}
