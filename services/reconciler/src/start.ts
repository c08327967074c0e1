/**
 * Starts the reconciler: its calls, its reads, its consumer and its outbox. The stop first takes no new messages and starts no new
 * reads. Then current messages and reads end, and at last the outbox stops.
 */

import { reconcilerCalls } from '@financial-agents/bus/calls/reconciler'
import { consume } from '@financial-agents/bus/consume'
import type { EventBatch } from '@financial-agents/bus/messages/events'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import { streamNames } from '@financial-agents/bus/streams'
import type { Running } from '@financial-agents/service/service'
import type { ReconcilerConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { mayHandOff, takeOver } from './handoffs.ts'
import { observeBacklog } from './measure.ts'
import { startOutbox } from './outbox.ts'
import { startReads } from './reads.ts'
import { recordLateAnswer } from './store/handoff.ts'
import { listOperatorReads } from './store/operator-reads.ts'
import { recordConfirmation } from './store/outbox.ts'
import { listReviews } from './store/reviews.ts'

export function startReconciler(config: ReconcilerConfig, opened: Omit<Dependencies, 'config'>): Running {
  const { bus, db, clock, log } = opened
  const dependencies: Dependencies = { ...opened, config }
  serveCalls(
    bus,
    reconcilerCalls,
    {
      'int.reconciler.late-answer': async (answer) => (await recordLateAnswer(db, answer, clock.now()), null),
      'int.reconciler.reviews': (request) => listReviews(db, request),
      'int.reconciler.reads': ({ operation_id }) => listOperatorReads(db, operation_id),
      'int.reconciler.confirm': (confirmation) => recordConfirmation(db, confirmation),
    },
    { log },
  )
  const outbox = startOutbox(dependencies)
  const reads = startReads(dependencies)
  observeBacklog(dependencies)
  const consuming = consume<EventBatch>(bus, {
    stream: streamNames.event,
    durable: 'reconciler',
    maxMessages: 16,
    concurrency: 2,
    concerns: mayHandOff,
    handle: (messages) => takeOver(dependencies, messages),
    retryAfterMs: 1_000,
    onError: (error) => log.warn({ err: error }, 'events come again'),
  })
  return {
    stop: async () => {
      await Promise.all([consuming.stop(), reads.stop()])
      await outbox.stop()
    },
  }
}
