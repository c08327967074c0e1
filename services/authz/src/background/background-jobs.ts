/**
 * The background jobs of every replica: unconfirmed fences, expired grants, service accounts without a fixed connection, logos, expired
 * rows.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { fixServiceBindings } from '../calls/binding-of-grant.ts'
import { pruneKeys } from '../signing-keys/rotate-keys.ts'
import { expireGrants } from '../store/grant-status.ts'
import { pruneExpired } from '../store/prune.ts'
import { startFenceJob } from './fence-job.ts'
import { fetchWantedLogos, type LogoDependencies } from './logos.ts'

const expiryBatch = 100
const fixingPatienceMs = 5_000

type Pauses = { FENCE_PAUSE_MS: number; EXPIRY_PAUSE_MS: number; PRUNE_PAUSE_MS: number }
type Dependencies = { bus: Bus; db: Database; clock: Clock; log: Log; fetchLogo: LogoDependencies['fetchLogo'] }

export function startBackgroundJobs(dependencies: Dependencies, pauses: Pauses): Repeating {
  const { db, clock, log } = dependencies
  const fences = startFenceJob({ ...dependencies, pauseMs: pauses.FENCE_PAUSE_MS })
  const expiry = repeat({
    name: 'expiry of grants',
    pauseMs: pauses.EXPIRY_PAUSE_MS,
    log,
    work: () => expireGrants(db, clock.now(), expiryBatch),
  })
  const fixing = repeat({
    name: 'connections of service accounts',
    pauseMs: pauses.EXPIRY_PAUSE_MS,
    log,
    work: () => fixServiceBindings(dependencies, newContext(fixingPatienceMs)).then(() => false),
  })
  const logos = repeat({
    name: 'logos of applications',
    pauseMs: pauses.EXPIRY_PAUSE_MS,
    log,
    work: () => fetchWantedLogos(dependencies),
  })
  const prune = repeat({
    name: 'prune',
    pauseMs: pauses.PRUNE_PAUSE_MS,
    log,
    work: async () => {
      await pruneKeys(db, clock.now())
      return pruneExpired(db, clock.now())
    },
  })
  return {
    stop: async () => {
      await Promise.all([fences.stop(), expiry.stop(), fixing.stop(), logos.stop(), prune.stop()])
    },
  }
}
