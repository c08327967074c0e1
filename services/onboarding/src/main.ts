/** Starts onboarding: configuration, connections, what it answers; and stops it cleanly. */

import { connectBus } from '@financial-agents/bus/connect'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { runService } from '@financial-agents/runtime/service'
import { onboardingConfig } from './config.ts'
import { startOnboarding } from './start.ts'

await runService({
  name: 'onboarding',
  config: onboardingConfig,
  start: async ({ config, log, clock }) => {
    const db = openServiceDatabase({ config, name: 'onboarding', log })
    const bus = await connectBus({ config, name: 'onboarding', log })
    const service = startOnboarding({ db, bus, log, clock, announcePauseMs: config.ANNOUNCE_PAUSE_MS })
    return {
      checks: { bus: () => bus.check(), database: () => db.check() },
      stop: async () => {
        await service.stop()
        await bus.drain()
        await db.close()
      },
    }
  },
})
