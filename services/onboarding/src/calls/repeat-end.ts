/**
 * `int.onboarding.repeat-end`: ends a binding whose end the database has lost. The provider is not asked to revoke anything: it may have
 * done so in the lost time.
 */

import type { RepeatEnd } from '@financial-agents/bus/messages/witness'
import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import { findBindingsLocked, lockBindings, moveBinding } from '../binding-changes.ts'
import { registeredAway } from '../known-end.ts'

export function repeatEnd({ db, clock, announceNow }: { db: Database; clock: Clock; announceNow: () => void }) {
  return async ({ target_id, reason }: RepeatEnd): Promise<boolean> => {
    if (!isUuid(target_id)) return false
    const ended = await db.transaction(async (tx) => {
      await lockBindings(tx)
      const row = (await findBindingsLocked(tx, [target_id])).get(target_id)
      if (row?.status !== 'connected') return false
      const event = reason === registeredAway ? 'registered_away' : 'end_repeated'
      await moveBinding({ tx, now: clock.now() }, row, event, row.pending_operation_id)
      return true
    })
    if (ended) announceNow()
    return ended
  }
}
