/** What others tell the reconciler: late answers of attempts, and what operations has committed; and what operators ask it. */

import { serveCall, serveNotice } from '@financial-agents/bus/rpc'
import type { Parts } from './parts.ts'
import { recordLateAnswer } from './store/handover.ts'
import { recordConfirmation } from './store/outbox.ts'
import { listReviews } from './store/reviews.ts'

export function serveCalls({ bus, db, clock, log }: Parts): void {
  serveCall(
    bus,
    'int.reconciler.late-answer',
    async (answer) => {
      await recordLateAnswer(db, answer, clock.now())
      return null
    },
    { log },
  )
  serveCall(bus, 'int.reconciler.reviews', (request) => listReviews(db, request), { log })
  serveNotice(bus, 'int.reconciler.confirm', (confirmation) => recordConfirmation(db, confirmation), { log })
}
