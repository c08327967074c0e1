/** What others ask of the submitter: fences from authz and onboarding, confirmations from operations and reconciler. */

import { serveCall, serveNotice } from '@financial-agents/bus/rpc'
import type { Parts } from './parts.ts'
import { listOpenAttempts, recordFence, recordUnfence } from './store/fences.ts'
import { recordConfirmation } from './store/outbox.ts'

/** Every replica hears of a fence: one that stands still must not be the only one that was asked. */
const byAll = { queue: null }

export function serveCalls({ bus, db, clock, log }: Parts): void {
  serveCall(
    bus,
    'int.submitter.fence',
    async (fence) => {
      await recordFence(db, fence, clock.now())
      return { open_operation_ids: await listOpenAttempts(db, fence) }
    },
    { log, ...byAll },
  )
  serveCall(
    bus,
    'int.submitter.unfence',
    async (fence) => {
      await recordUnfence(db, fence)
      return null
    },
    { log, ...byAll },
  )
  serveNotice(bus, 'int.submitter.confirm', (confirmation) => recordConfirmation(db, confirmation), { log })
}
