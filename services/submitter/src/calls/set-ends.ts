/**
 * `int.submitter.set-ends`: sets the fences again that a database has lost, each unless a newer request has changed it. A return of
 * authority that was lost stays lost. Its version counts for nothing: the service that gave it has lost it too, and the next end, with the
 * same version, would be taken for an old one.
 */

import type { Ends } from '@financial-agents/bus/messages/witness'
import type { Database } from '@financial-agents/postgres/database'
import { recordFence } from '../store/fences.ts'

export function setEnds(db: Database) {
  return async ({ ends }: Ends): Promise<Ends> => {
    const lost: Ends['ends'] = []
    for (const end of ends) {
      const { reason, at, ...fence } = end
      if (reason !== null && (await recordFence(db, { ...fence, reason }, new Date(at)))) lost.push(end)
    }
    return { ends: lost }
  }
}
