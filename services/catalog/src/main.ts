/** Starts catalog: configuration, connections, what it serves; and stops it cleanly. */

import { connectBus } from '@financial-agents/bus/connect'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { createAdapter } from '@financial-agents/provider/adapter'
import { runService } from '@financial-agents/runtime/service'
import { catalogConfig } from './config.ts'
import { startCatalog } from './start.ts'

await runService({
  name: 'catalog',
  config: catalogConfig,
  start: async ({ config, log, clock }) => {
    const db = openServiceDatabase({ config, name: 'catalog', log })
    const bus = await connectBus({ config, name: 'catalog', log })
    const connections = { connections: config.PROVIDER_CONNECTIONS, connectTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS }
    const provider = createAdapter({ baseUrl: config.PROVIDER_URL, ...connections })
    const service = startCatalog(config, { bus, db, log, clock, provider })
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
