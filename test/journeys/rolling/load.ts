/**
 * Generates load. Turns fall due at a constant rate, whether or not earlier turns are answered. The next free client
 * takes each turn. On a slow machine the turns wait here, up to a limit, and not in the system.
 */

import type { ServiceName } from '@financial-agents/testkit/stack-services'
import type { Turn } from './mix.ts'
import type { Record } from './record.ts'

const tickMs = 10
const maxWaiting = 400

export type Load = {
  /** Adds one more turn for each client at once, aimed at this service. */
  surge(service: ServiceName): void
  /** The number of turns dropped because too many were waiting. */
  skipped: () => number
  /** Stops adding turns; resolves when all due turns are finished. */
  stop(): Promise<void>
}

/** @param turns one function for each client, which runs one turn at a time */
export function startLoad(turns: readonly Turn[], ratePerS: number, record: Record): Load {
  const beganAt = performance.now()
  const idle: (() => void)[] = []
  const focused: ServiceName[] = []
  let [due, waiting, skipped, stopped] = [0, 0, 0, false]
  const wake = () => {
    for (const start of idle.splice(0, waiting)) start()
  }
  const ticking = setInterval(() => {
    const more = Math.floor(((performance.now() - beganAt) * ratePerS) / 1_000) - due
    due += more
    const room = Math.min(more, maxWaiting - waiting)
    skipped += more - room
    waiting += room
    wake()
  }, tickMs)
  const work = async (turn: Turn) => {
    for (;;) {
      if (waiting === 0) {
        if (stopped) return
        await new Promise<void>((resolve) => idle.push(resolve))
        continue
      }
      waiting -= 1
      await turn(focused.pop()).catch((error: Error & { code?: string }) => {
        record.failures.push(`${error.code ?? error.name}: ${error.message}`)
      })
    }
  }
  const working = turns.map(work)
  return {
    surge: (service) => {
      focused.push(...turns.map(() => service))
      waiting += turns.length
      wake()
    },
    skipped: () => skipped,
    stop: async () => {
      clearInterval(ticking)
      stopped = true
      for (const start of idle.splice(0)) start()
      await Promise.all(working)
    },
  }
}
