/**
 * Reports the health of a process's reads to the console, once a minute and when a circuit opens or closes.
 *
 * Invariant: a report is sent once. Figures that the console does not take are lost: they only inform, and a repetition could
 * count them twice.
 */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { notify } from '@financial-agents/bus/rpc'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { type ReadHealth, readHealth } from './read-health.ts'

const everyMs = 60_000

/** A process that has read nothing from a provider sends nothing. */
export function startReadReports({
  bus,
  log,
  health = readHealth(),
}: {
  bus: Bus
  log: Log
  health?: ReadHealth
}): Repeating {
  const reporter = randomUUID()
  const work = async () => {
    const taken = health.take()
    if (taken !== undefined) notify(bus, 'int.ops-console.read-health', { reporter, ...taken })
  }
  const reports = repeat({ name: 'read reports', pauseMs: everyMs, log, work })
  health.onChange(() => reports.wake())
  return reports
}
