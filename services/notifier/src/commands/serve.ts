/** Starts notifier: configuration, connections, what it serves; and stops it cleanly. */

import { connectBus } from '@financial-agents/bus/connect'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { serviceCommand } from '@financial-agents/runtime/service'
import { notifierConfig } from '../config.ts'
import { createResolve } from '../resolve.ts'
import { startNotifier } from '../start.ts'

export const command = serviceCommand({
  name: 'notifier',
  config: notifierConfig,
  start: async ({ config, log, clock }) => {
    const db = openServiceDatabase({ config, name: 'notifier', log })
    const bus = await connectBus({ config, name: 'notifier', log })
    const service = startNotifier(config, { bus, db, log, clock, resolve: createResolve() })
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
