/** `int.onboarding.disconnect`: ends the owner's connected binding, declared or not. Fence and announcement follow from the outbox. */

import type { Calls } from '@financial-agents/bus/calls'
import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { disconnectOwner } from '../binding-changes.ts'

type Disconnect = Calls['int.onboarding.disconnect']

export function disconnect({ db, clock }: { db: Database; clock: Clock }) {
  return async ({ owner_id }: Disconnect['request']): Promise<Disconnect['answer']> => {
    if (!isUuid(owner_id)) return { disconnected: false }
    const disconnected = await db.transaction(async (tx) => {
      const ended = await disconnectOwner({ tx, now: clock.now() }, owner_id)
      failpoint('disconnect.before_commit')
      return ended
    })
    failpoint('disconnect.after_commit')
    return { disconnected }
  }
}
