/** The authorization server's process. */

import { connectBus } from '@financial-agents/bus/connect'
import { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { repeat } from '@financial-agents/runtime/repeat'
import { createSealer } from '@financial-agents/runtime/sealing'
import { runService } from '@financial-agents/runtime/service'
import { createAuthorizationServer } from './authorization-server.ts'
import { authzConfig } from './config.ts'
import { startFeed } from './feed.ts'
import { startFenceSweep } from './fence-sweep.ts'
import { createKeySource } from './key-source.ts'
import { addPages } from './pages/pages.ts'
import { pruneKeys } from './rotate-keys.ts'
import { serve } from './serve.ts'
import { expireGrants } from './store/grant-status.ts'
import { pruneExpired } from './store/prune.ts'

await runService({
  name: 'authz',
  config: authzConfig,
  dateFollowsClock: true,
  start: async ({ config, log, clock }) => {
    const db = openServiceDatabase({ config, name: 'authz', log })
    const sealer = createSealer(config.SEALING_KEYS)
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
    const server = await createAuthorizationServer({
      ...parts,
      keys,
      addPages: (app, tools) =>
        addPages(app, { ...parts, ...tools, bus, providerPagesOrigin: config.PROVIDER_PAGES_ORIGIN }),
    })
    const feed = await startFeed({ bus, db, log, pauseMs: config.FEED_PAUSE_MS })
    const { capabilities } = capabilityConfiguration(config)
    serve({ bus, db, clock, log, feed, app: server.app, keys, capabilities })
    const fences = startFenceSweep({ bus, db, clock, log, pauseMs: config.FENCE_PAUSE_MS })
    const prune = repeat({
      name: 'prune',
      pauseMs: config.PRUNE_PAUSE_MS,
      log,
      work: async () => {
        await pruneKeys(db, clock.now())
        return pruneExpired(db, clock.now())
      },
    })
    const expiry = repeat({
      name: 'expiry of grants',
      pauseMs: config.EXPIRY_PAUSE_MS,
      log,
      work: () => expireGrants(db, clock.now(), 100),
    })
    return {
      checks: { database: () => db.check(), bus: () => bus.check() },
      stop: async () => {
        await Promise.all([feed.stop(), fences.stop(), prune.stop(), expiry.stop(), keys.stop()])
        await bus.drain()
        await server.app.close()
        await db.close()
      },
    }
  },
})
