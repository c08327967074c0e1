/**
 * The repairing sweeps: the watchdog of attempts without an outcome, the outbox of unconfirmed events, and late answers.
 * Nothing is published while the bus is unreachable; otherwise messages would pile up in memory during an outage.
 */

import { keepMonths, observeMonths } from '@financial-agents/postgres/months'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { deliverLateAnswers } from './late-answers.ts'
import { noteExpired } from './measure.ts'
import type { Parts } from './parts.ts'
import { publishEvents } from './publish.ts'
import { takeUnconfirmed } from './store/outbox.ts'
import { recordExpiries } from './store/outcomes.ts'

const limit = 256

export function startSweeps(parts: Parts): Repeating[] {
  const { bus, config, clock, db, log } = parts
  const pauseMs = config.SWEEP_PAUSE_MS
  observeMonths(db)

  const watchdog = async () => {
    const now = clock.now()
    const republishAt = new Date(now.getTime() + config.REPUBLISH_AFTER_MS)
    failpoint('watchdog.before_commit')
    const rows = await recordExpiries(db, { now, republishAt, limit })
    failpoint('watchdog.after_commit')
    noteExpired(rows.length)
    if (rows.length > 0) log.warn({ operations: rows.length }, 'attempts ended without an outcome')
    publishEvents(bus, rows)
    return rows.length === limit
  }
  const outbox = async () => {
    if (!(await bus.answers())) return false
    const republishAfterMs = config.REPUBLISH_AFTER_MS
    const rows = await takeUnconfirmed(db, { now: clock.now(), republishAfterMs, limit })
    publishEvents(bus, rows)
    return rows.length === limit
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
    repeat({ name: 'late answers', pauseMs, log, work: () => deliverLateAnswers(parts) }),
  ]
}
