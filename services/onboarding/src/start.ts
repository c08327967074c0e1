/** Wires the service: what it answers and what it repeats. */

import type { Bus } from '@financial-agents/bus/connect'
import { serveCall } from '@financial-agents/bus/rpc'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { startAnnouncing } from './announce.ts'
import { bindings } from './handlers/bindings.ts'
import { credentials } from './handlers/credentials.ts'

export type Parts = { db: Database; bus: Bus; log: Log; clock: Clock; announcePauseMs: number }

/** `stop` ends the sweeps; the bus is the caller's to drain. */
export function startOnboarding({ db, bus, log, clock, announcePauseMs }: Parts): { stop(): Promise<void> } {
  serveCall(bus, 'int.onboarding.bindings', bindings(db), { log })
  serveCall(bus, 'int.onboarding.credentials', credentials(db), { log })
  const sweeps = startAnnouncing({ db, bus, log, clock, pauseMs: announcePauseMs })
  return {
    stop: async () => {
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
    },
  }
}
