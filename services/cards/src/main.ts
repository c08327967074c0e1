/** Starts cards: configuration, connections, what it serves; and stops it cleanly. */

import { connectBus } from '@financial-agents/bus/connect'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { createAdapter } from '@financial-agents/provider/adapter'
import { runService } from '@financial-agents/runtime/service'
import { cardsConfig } from './config.ts'
import { startCards } from './start.ts'

await runService({
  name: 'cards',
  config: cardsConfig,
  start: async ({ config, log, clock }) => {
    const db = openServiceDatabase({ config, name: 'cards', log })
    const bus = await connectBus({ config, name: 'cards', log })
    const connections = { connections: config.PROVIDER_CONNECTIONS, connectTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS }
    const provider = createAdapter({ baseUrl: config.PROVIDER_URL, ...connections })
    const service = startCards(config, { bus, db, log, clock, provider })
    return {
      checks: { bus: () => bus.check(), database: () => db.check() },
      stop: async () => {
        await service.stop()
        await bus.drain()
        await provider.close()
        await db.close()
      },
    }
  },
})
