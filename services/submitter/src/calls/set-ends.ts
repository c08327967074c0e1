/** `int.submitter.set-ends`: sets the fences again that a database has lost, each unless a newer request has changed it. */

import type { Ends } from '@financial-agents/bus/messages/witness'
import type { Database } from '@financial-agents/postgres/database'
import { recordFence, recordUnfence } from '../store/fences.ts'

export function setEnds(db: Database) {
  return async ({ ends }: Ends): Promise<Ends> => {
    const lost: Ends['ends'] = []
    for (const end of ends) {
      const { reason, at, ...fence } = end
      const isNew =
        reason === null ? await recordUnfence(db, fence) : await recordFence(db, { ...fence, reason }, new Date(at))
      if (isNew) lost.push(end)
    }
    return { ends: lost }
  }
}
