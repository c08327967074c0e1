/** The authorization server's process. */

import { setTimeout as delay } from 'node:timers/promises'
import { connectBus } from '@financial-agents/bus/connect'
import { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import type { Database } from '@financial-agents/postgres/database'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import type { Log } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import { serviceCommand } from '@financial-agents/runtime/service'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { createAuthorizationServer } from '../authorization-server.ts'
import { startFeed } from '../background/feed.ts'
import { revocationsAreKnown } from '../background/known-ends.ts'
import { startSweeps } from '../background/sweeps.ts'
import { patienceMs } from '../browser/call-context.ts'
import { authzConfig } from '../config.ts'
import { observeAuthority } from '../measure.ts'
import { addPages } from '../pages/pages.ts'
import { serve } from '../serve.ts'
import { createKeySource } from '../signing-keys/key-source.ts'

const pauseMs = 2_000

export const command = serviceCommand({
  name: 'authz',
  config: authzConfig,
  dateFollowsClock: true,
  start: async ({ config, log, clock }) => {
    const db = openServiceDatabase({ config, name: 'authz', log })
    const sealer = createSealer(config.SEALING_KEYS)
    await reach(db, log)
    const keys = await createKeySource({ db, sealer, clock, log, pauseMs: config.KEYS_PAUSE_MS })
    const bus = await connectBus({ config, name: 'authz', log })
    const parts = {
      baseUrl: config.PUBLIC_BASE_URL,
      environment: config.ENVIRONMENT,
      dpopNonceKey: config.DPOP_NONCE_KEY,
      pairwiseKey: config.PAIRWISE_KEY,
      sealer,
      db,
      clock,
      log,
    }
    const feed = await startFeed({ bus, db, log, pauseMs: config.FEED_PAUSE_MS })
    const server = await createAuthorizationServer({
      ...parts,
      keys,
      revocationsAreKnown: (clientId) => revocationsAreKnown({ bus, db, clock, log, feed }, clientId, patienceMs),
      addPages: (app, tools) =>
        addPages(app, { ...parts, ...tools, bus, feed, providerPagesOrigin: config.PROVIDER_PAGES_ORIGIN }),
    })
    const { capabilities } = capabilityConfiguration(config)
    serve({ bus, db, clock, log, feed, app: server.app, keys, capabilities })
    const sweeps = startSweeps({ bus, db, clock, log }, config)
    observeAuthority(db)
    return {
      checks: { database: () => db.check(), bus: () => bus.check() },
      stop: async () => {
        await Promise.all([feed.stop(), sweeps.stop(), keys.stop()])
        await bus.drain()
        await server.app.close()
        await db.close()
      },
    }
  },
})

/** Its keys are there. Who ends instead, and is started ever later, comes back late from an outage. */
async function reach(db: Pick<Database, 'check'>, log: Log): Promise<void> {
  for (;;) {
    try {
      return await db.check()
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      log.warn({ err: error }, 'waiting for PostgreSQL')
      await delay(pauseMs)
    }
  }
}
