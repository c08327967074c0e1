/**
 * `int.submitter.recover`: the ends of authority that the database has lost are set again before anything can be claimed. Then the
 * database is proven anew, with a recovery point.
 */

import type { EndsAgain, Recovered } from '@financial-agents/bus/messages/witness'
import { recover } from '@financial-agents/witness/recover'
import type { Dependencies } from '../dependencies.ts'
import { recordFence, recordUnfence } from '../store/fences.ts'

export function recoverSubmitter({ bus, db, clock, witness }: Dependencies) {
  return async ({ ends }: EndsAgain): Promise<Recovered & EndsAgain> => {
    const lost: EndsAgain['ends'] = []
    for (const { reason, at, ...fence } of ends) {
      const isNew =
        reason === null ? await recordUnfence(db, fence) : await recordFence(db, { ...fence, reason }, new Date(at))
      if (isNew) lost.push({ ...fence, reason, at })
    }
    const point = await recover({ db, registers: bus.registers, schema: 'submitter', now: () => clock.now() })
    witness.joinAgain()
    return { recovery_point: point.toISOString(), ends: lost }
  }
}
