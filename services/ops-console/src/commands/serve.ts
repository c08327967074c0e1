/** Starts the console: configuration, connections, what it serves; and stops it cleanly. */

import { connectBus } from '@financial-agents/bus/connect'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { serviceCommand } from '@financial-agents/runtime/service'
import { consoleConfig } from '../config.ts'
import { startConsole } from '../start.ts'

export const command = serviceCommand({
  name: 'ops-console',
  config: consoleConfig,
  dateFollowsClock: true,
  start: async ({ config, log, clock }) => {
    const db = openServiceDatabase({ config, name: 'ops-console', log })
    const bus = await connectBus({ config, name: 'ops-console', log })
    const service = await startConsole(config, { bus, db, log, clock })
    return {
      checks: { bus: () => bus.check(), database: () => db.check() },
      stop: async () => {
        await service.stop()
        await bus.drain()
        await service.close()
        await db.close()
      },
    }
  },
})
