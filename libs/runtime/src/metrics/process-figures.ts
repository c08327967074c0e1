/** What every process tells of itself. */

import { performance } from 'node:perf_hooks'
import { version } from '../version.ts'
import { observe } from './metrics.ts'

/** Tells version, memory and how busy the event loop was since it was last asked. */
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
