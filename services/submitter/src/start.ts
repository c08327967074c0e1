/**
 * Starts the submitter: its calls, its consumer and its background jobs. The stop first takes no new messages. Then the calls in flight end,
 * each within the provider's time-out, and their outcomes are written. At last the background jobs stop.
 */

import { submitterCalls } from '@financial-agents/bus/calls/submitter'
import { consume } from '@financial-agents/bus/consume'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import { streamNames } from '@financial-agents/bus/streams'
import type { Log } from '@financial-agents/runtime/log'
import { createSlots } from '@financial-agents/runtime/slots'
import type { Running } from '@financial-agents/service/service'
import { reportOf } from '@financial-agents/witness/closed'
import { startWitness } from '@financial-agents/witness/witness'
import { z } from 'zod'
import { type Attempts, createAttempts } from './attempts.ts'
import { removeBatches, startBackgroundJobs } from './background-jobs.ts'
import { fence, unfence } from './calls/fence.ts'
import { setEnds } from './calls/set-ends.ts'
import { claimLanes } from './claims.ts'
import type { SubmitterConfig } from './config.ts'
import { createConfirmations } from './confirmations.ts'
import type { Dependencies } from './dependencies.ts'
import { observeBacklog } from './measure.ts'
import { listStopped } from './store/fences.ts'

/** The limits of messages in work, and of messages in one pull. A message may bring many operations, each of which needs a slot. */
const maxMessages = 64
const messagesPerAsking = 4

/** The number of fences at the same time that no claim waits for. */
const fenceLanes = 2

export function startSubmitter(
  config: SubmitterConfig,
  opened: Omit<Dependencies, 'config' | 'confirmations' | 'witness'>,
): Running {
  const { bus, clock, log } = opened
  const witness = startWitness({
    ...opened,
    schema: 'submitter',
    lanes: claimLanes + fenceLanes,
    now: () => clock.now(),
  })
  const confirmations = createConfirmations(() => clock.nowMs())
  const dependencies: Dependencies = { ...opened, config, confirmations, witness }
  const slots = createSlots(config.CALL_SLOTS)
  const attempts = createAttempts(dependencies, slots)
  serveCalls(
    bus,
    submitterCalls,
    {
      'int.submitter.fence': fence(dependencies),
      'int.submitter.unfence': unfence(dependencies),
      'int.submitter.witness': async () => reportOf(witness.closed()),
      'int.submitter.set-ends': setEnds(dependencies.db),
      'int.submitter.recover': () => witness.recover(),
      'int.submitter.stopped': (request) => listStopped(dependencies.db, request),
      'int.submitter.confirm': async (confirmation) => {
        dependencies.confirmations.hear(confirmation)
        await removeBatches(dependencies)
      },
    },
    { log },
  )
  const jobs = startBackgroundJobs(dependencies)
  observeBacklog(dependencies)
  const consuming = consume<unknown>(bus, {
    stream: streamNames.submit,
    durable: 'submitter',
    maxMessages: 1,
    concurrency: maxMessages,
    room: async () => {
      await Promise.all([witness.opened(), slots.waitForFree()])
      return messagesPerAsking
    },
    handle: ([message]) => takeAll(attempts, message, log),
    retryAfterMs: config.RETRY_AFTER_MS,
    // A message that waits for redelivery occupies room in the consumer. After the last delivery, operations' background job offers it again.
    maxDeliveries: 3,
    onError: (error) => log.warn({ err: error }, 'a submit message comes again'),
  })
  return {
    checks: { witness: () => witness.check() },
    stop: async () => {
      attempts.close()
      await consuming.stop()
      await attempts.finish()
      await witness.stop()
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

const submitBatch = z.object({ operations: z.array(z.object({ operation_id: z.uuid() })) })

/** Resolves when every operation of the message is decided. Throws if an operation has to be delivered again. */
async function takeAll(attempts: Attempts, message: unknown, log: Log): Promise<void> {
  const batch = submitBatch.safeParse(message)
  // Redelivery cannot make the message readable. The background job of operations announces every accepted operation again.
  if (!batch.success) return log.error('a submit message is not one')
  const taken = await Promise.all(batch.data.operations.map(({ operation_id }) => attempts.take(operation_id)))
  const later = taken.filter((one) => one === 'later').length
  if (later > 0) throw new Error(`${later} operations could not be validated`)
}
