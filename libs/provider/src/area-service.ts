/**
 * The process of an area: what every service has that answers on the bus, keeps rows and speaks to the provider.
 *
 * Invariant: what the area started ends before the connections that it works with are closed.
 */

import { type Bus, connectBus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { createAdapter } from '@financial-agents/provider-reads/adapter'
import type { providerReaderConfig } from '@financial-agents/provider-reads/reader-config'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Command } from '@financial-agents/runtime/command'
import type { busConfig, databaseConfig } from '@financial-agents/runtime/config'
import type { Log } from '@financial-agents/runtime/log'
import { serviceCommand } from '@financial-agents/runtime/service'
import type { z } from 'zod'
import type { Provider } from './port.ts'

/** What an area is given; not its own to close. */
export type AreaParts = { bus: Bus; db: Database; log: Log; clock: Clock; provider: Provider }

type Needed = z.output<typeof busConfig> & z.output<typeof databaseConfig> & z.output<typeof providerReaderConfig>

/** The command `serve` of the area `name`. */
export function areaServiceCommand<Config extends Needed>(options: {
  name: string
  /** At least what the bus, the database and the provider's reader take. */
  config: z.ZodObject & z.ZodType<Config>
  start: (config: Config, parts: AreaParts) => { stop(): Promise<void> }
}): Command {
  const { name } = options
  return serviceCommand({
    name,
    config: options.config,
    start: async ({ config, log, clock }) => {
      const db = openServiceDatabase({ config, name, log })
      const bus = await connectBus({ config, name, log })
      const provider = createAdapter({
        baseUrl: config.PROVIDER_URL,
        connections: config.PROVIDER_CONNECTIONS,
        connectTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS,
      })
      const service = options.start(config, { bus, db, log, clock, provider })
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
}
