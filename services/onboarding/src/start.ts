/** Wires the service: what it answers and what it repeats. */

import type { Bus } from '@financial-agents/bus/connect'
import { serveCall } from '@financial-agents/bus/rpc'
import { startAnnouncing } from './announce.ts'
import { bindings } from './handlers/bindings.ts'
import { credentials } from './handlers/credentials.ts'
import { disconnect } from './handlers/disconnect.ts'
import { finishSignIn } from './handlers/finish-sign-in.ts'
import { startSignIn } from './handlers/start-sign-in.ts'
import { startPruning } from './prune.ts'
import type { SignInParts } from './sign-in-parts.ts'

export type Parts = SignInParts & { bus: Bus; announcePauseMs: number; prunePauseMs: number }

/** Each may wait for the provider: more than these are told to come again. */
const signInsInFlight = 256

/** `stop` ends the sweeps; the bus is the caller's to drain. */
export function startOnboarding(parts: Parts): { stop(): Promise<void> } {
  const { db, bus, log, clock } = parts
  serveCall(bus, 'int.onboarding.bindings', bindings(db), { log })
  serveCall(bus, 'int.onboarding.credentials', credentials(db), { log })
  serveCall(bus, 'int.onboarding.start-sign-in', startSignIn(parts), { log, maxInFlight: signInsInFlight })
  serveCall(bus, 'int.onboarding.finish-sign-in', finishSignIn(parts), { log, maxInFlight: signInsInFlight })
  serveCall(bus, 'int.onboarding.disconnect', disconnect(parts), { log })
  const sweeps = [
    ...startAnnouncing({ db, bus, log, clock, pauseMs: parts.announcePauseMs }),
    startPruning({ db, log, clock, pauseMs: parts.prunePauseMs }),
  ]
  return {
    stop: async () => {
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
    },
  }
}
