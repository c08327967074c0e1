/**
 * The repairing background jobs: the watchdog of attempts without an outcome, the outbox of unconfirmed events, and late answers.
 * Nothing is published while the bus is unreachable; otherwise messages would pile up in memory during an outage.
 */

import { keepMonths, observeMonths } from '@financial-agents/postgres/months'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import type { Dependencies } from './dependencies.ts'
import { deliverLateAnswers } from './late-answers.ts'
import { noteExpired } from './measure.ts'
import { publishEvents } from './publish.ts'
import { removeConfirmed, takeUnconfirmed } from './store/outbox.ts'
import { recordExpiries } from './store/outcomes.ts'

/** The limit of batches in one turn of a background job. Most batches have few operations; the largest has 128. */
const maxBatches = 64

export function startBackgroundJobs(dependencies: Dependencies): Repeating[] {
  const { bus, config, clock, confirmations, db, log, witness } = dependencies
  const pauseMs = config.BACKGROUND_JOB_PAUSE_MS
  observeMonths(db)

  // While the witness is closed, neither reports anything: an older primary does not know what the newest one has done.
  const watchdog = async () => {
    if (witness.closed()) return false
    const now = clock.now()
    const republishAt = new Date(now.getTime() + config.REPUBLISH_AFTER_MS)
    failpoint('watchdog.before_commit')
    const { batches, expired } = await recordExpiries(db, { now, republishAt, limit: maxBatches })
    failpoint('watchdog.after_commit')
    noteExpired(expired.length)
    if (expired.length > 0) log.warn({ operations: expired.length }, 'attempts ended without an outcome')
    confirmations.ended(expired)
    publishEvents(bus, expired)
    return batches === maxBatches
  }
  const outbox = async () => {
    await removeBatches(dependencies)
    if (witness.closed() || !(await bus.answers())) return false
    const republishAfterMs = config.REPUBLISH_AFTER_MS
    const now = clock.now()
    const settled = confirmations.settled(now.getTime() - republishAfterMs)
    const batches = await takeUnconfirmed(db, { now, republishAfterMs, limit: maxBatches, settled })
    for (const batch of batches) confirmations.hold(batch)
    const rows = batches.flatMap((batch) => batch.rows)
    publishEvents(bus, rows, confirmations.heardOf)
    return batches.length === maxBatches
  }
  return [
    repeat({ name: 'watchdog', pauseMs, log, work: watchdog }),
    repeat({ name: 'outbox', pauseMs, log, work: outbox }),
    repeat({
      name: 'months',
      pauseMs: config.MONTHS_PAUSE_MS,
      log,
      work: () => keepMonths(db),
    }),
    repeat({ name: 'late answers', pauseMs, log, work: () => deliverLateAnswers(dependencies) }),
  ]
}

/** Removes each batch from the outbox once this process has heard that all of its events are confirmed. */
export async function removeBatches({ confirmations, db }: Dependencies): Promise<void> {
  const confirmed = confirmations.takeConfirmed()
  if (confirmed.length === 0) return
  try {
    await removeConfirmed(db, confirmed)
  } catch (error) {
    confirmations.giveBack(confirmed)
    throw error
  }
}
