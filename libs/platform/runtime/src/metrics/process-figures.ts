/** Figures that every process reports about itself. */

import { performance } from 'node:perf_hooks'
import { version } from '../version.ts'
import { observe } from './metrics.ts'

/** Reports the version, the memory, and the utilization of the event loop since the last collection. */
export function observeProcess(): void {
  let before = performance.eventLoopUtilization()
  observe(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return [
      ['financial_agents.build', 1, { version }],
      ['financial_agents.process.event_loop_utilization', utilization, {}],
      ['financial_agents.process.resident_memory', process.memoryUsage.rss(), {}],
    ]
  })
}
