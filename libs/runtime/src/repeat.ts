/**
 * Sweeps: work repeated after a pause for as long as the process runs. One run at a time; a failure is logged and the
 * next run comes all the same, because a sweep is what repairs everything else.
 */

import type { Log } from './log.ts'

/** Work that is repeated until it is stopped. */
export type Repeating = { stop(): Promise<void> }

/**
 * Runs `work` now and then every `pauseMs` after its end. `work` answers true when more is waiting, to be run again at
 * once.
 */
export function repeat(options: {
  name: string
  pauseMs: number
  log: Log
  work: () => Promise<boolean | void>
}): Repeating {
  let stopped = false
  let wake: () => void = () => {}
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, options.pauseMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const done = (async () => {
    while (!stopped) {
      let more: boolean | void = false
      try {
        more = await options.work()
      } catch (error) {
        options.log.error({ err: error, sweep: options.name }, 'a sweep failed')
      }
      if (!more && !stopped) await pause()
    }
  })()
  return {
    stop: () => {
      stopped = true
      wake()
      return done
    },
  }
}
