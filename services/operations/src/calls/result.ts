/** Returns the key result alone, which an area asks for before it refuses a write. Decides and writes nothing. */

import type { KeyResult, ResultRequest } from '@financial-agents/bus/messages/operations'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { toOperation } from '../operation-view.ts'
import { findKeys } from '../store/keys.ts'
import { validateKey } from '../validate.ts'

export function createResult(db: Queryable, clock: Clock) {
  return async ({ principal, route, key, request_hash }: ResultRequest): Promise<KeyResult> => {
    const identity = { owner_id: principal.owner_id, client_id: principal.client_id, route, key }
    const found = await findKeys(db, [identity])
    const validated = validateKey(request_hash, found.get(identity), clock.now())
    return validated.type === 'replayed' ? { type: 'replayed', operation: toOperation(validated.operation) } : validated
  }
}
