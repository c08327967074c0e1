/** Returns the key verdict alone, which an area asks for before it refuses a write. Decides and writes nothing. */

import type { KeyVerdict, VerdictRequest } from '@financial-agents/bus/messages/operations'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { judgeKey } from '../judge.ts'
import { toOperation } from '../operation-view.ts'
import { findKeys } from '../store/keys.ts'

export function createVerdict(db: Queryable, clock: Clock) {
  return async ({ principal, route, key, request_hash }: VerdictRequest): Promise<KeyVerdict> => {
    const identity = { owner_id: principal.owner_id, client_id: principal.client_id, route, key }
    const found = await findKeys(db, [identity])
    const judged = judgeKey(request_hash, found.get(identity), clock.now())
    return judged.type === 'replayed' ? { type: 'replayed', operation: toOperation(judged.operation) } : judged
  }
}
