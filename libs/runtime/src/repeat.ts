/**
 * Sweeps: work repeated after a pause for as long as the process runs. One run at a time; a failure is logged and the
 * next run comes all the same, because a sweep is what repairs everything else.
 */

import type { Log } from './log.ts'
import { counter } from './metrics/metrics.ts'

const failures = counter('financial_agents.sweep.failures')

/** Work that is repeated until it is stopped. */
export type Repeating = { stop(): Promise<void> }

/** Repeated work that need not wait for its pause where something is known to be waiting. */
export type Wakeable = Repeating & {
  /** The next run comes at once, or right after the one under way. */
  wake(): void
}

/**
 * Runs `work` now and then every `pauseMs` after its end. `work` answers true when more is waiting, to be run again at
 * once.
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
        failures.add({ sweep: options.name })
        options.log.error({ err: error, sweep: options.name }, 'a sweep failed')
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
