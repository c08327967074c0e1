/**
 * Background jobs: work that repeats after a pause while the process runs, one run at a time. A failed run is logged, and the
 * next run still follows, because background jobs repair everything else.
 */

import type { Log } from './log.ts'
import { counter } from './metrics/metrics.ts'

const failures = counter('financial_agents.background_job.failures')

export type Repeating = { stop(): Promise<void> }

/** Repeating work whose pause can be cut short. */
export type Wakeable = Repeating & {
  /** Starts the next run at once, or directly after the current run. */
  wake(): void
}

/**
 * Runs `work` now, and again `pauseMs` after each run has ended. If `work` returns true, more is waiting and the next
 * run starts at once.
 */
export function repeat(options: {
  name: string
  pauseMs: number
  log: Log
  work: () => Promise<boolean | void>
}): Wakeable {
  let stopped = false
  let woken = false
  let endPause: () => void = () => {}
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, options.pauseMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const done = (async () => {
    while (!stopped) {
      let more: boolean | void = false
      woken = false
      try {
        more = await options.work()
      } catch (error) {
        failures.add({ background_job: options.name })
        options.log.error({ err: error, job: options.name }, 'a background job failed')
      }
      if (!more && !woken && !stopped) await pause()
    }
  })()
  return {
    wake: () => {
      woken = true
      endPause()
    },
    stop: () => {
      stopped = true
      endPause()
      return done
    },
  }
}
