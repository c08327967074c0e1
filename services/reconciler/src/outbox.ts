/**
 * Publishes unconfirmed transitions again. Nothing is published while the bus is unreachable; otherwise messages would pile
 * up in memory during an outage.
 */

import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import type { Dependencies } from './dependencies.ts'
import { publishEvents } from './publish.ts'
import { takeUnconfirmed } from './store/outbox.ts'

const limit = 256

export function startOutbox(dependencies: Dependencies): Repeating {
  const { bus, config, clock, db, log } = dependencies
  const work = async () => {
    if (!(await bus.answers())) return false
    const republishAfterMs = config.REPUBLISH_AFTER_MS
    const transitions = await takeUnconfirmed(db, { now: clock.now(), republishAfterMs, limit })
    publishEvents(bus, transitions)
    return transitions.length === limit
  }
  return repeat({ name: 'outbox', pauseMs: config.BACKGROUND_JOB_PAUSE_MS, log, work })
}
