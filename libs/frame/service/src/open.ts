/**
 * Opens the connections of a service, starts the service, and closes everything in one order. The service stops, the bus drains,
 * and the service closes the parts that answer calls. Then the provider adapter closes, and at last the pools.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { connectBus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import { startReadReports } from '@financial-agents/provider-client/read-reports'
import type { RoutedProvider } from '@financial-agents/provider-client/routed'
import type { busConfig } from '@financial-agents/runtime/config'
import type { Log } from '@financial-agents/runtime/log'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { z } from 'zod'
import type { Started } from './launch.ts'
import type { DatabaseSchema, Opened, Pool, ServiceContext, ServiceOptions } from './service.ts'

/** Starts a service. Resolves once the server knows all subscriptions of the service. */
export async function openService<
  Config extends z.ZodObject & z.ZodType<z.output<typeof busConfig>>,
  Schema extends DatabaseSchema<z.output<Config>> | undefined,
  OpenedProvider extends Promise<RoutedProvider>,
>(options: ServiceOptions<Config, Schema, OpenedProvider>, given: ServiceContext<Config>): Promise<Started> {
  const { name, database } = options
  const { config, log, clock, environment = {}, schema } = given
  const pools: Database[] = []
  const openPool = (pool?: Pool): Database => {
    const opened = (database as DatabaseSchema<z.output<Config>>).open({ config, name, schema, log, ...pool })
    pools.push(opened)
    return opened
  }
  const db = database && openPool()
  if (db && options.startsFromRows) await reachDatabase(db, log)
  const bus = await connectBus({ config, name, log })
  const provider = await options.provider?.(config, environment)
  const running = await options.start(config, { bus, log, clock, db, openPool, provider } as Opened<
    Schema,
    OpenedProvider
  >)
  const reports = provider && startReadReports({ bus, log })
  // The service may report ready only after the server knows every subscription.
  await bus.check()
  return {
    checks: {
      ...(!options.answersAlone && { bus: () => bus.check(), ...(db && { database: () => db.check() }) }),
      ...running.checks,
    },
    stop: async () => {
      await running.stop()
      await reports?.stop()
      await bus.drain()
      await running.close?.()
      await provider?.close()
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}

const pauseMs = 2_000

/**
 * Waits until the database answers. Exiting instead would let the restart back-off grow, and delay recovery after an outage.
 */
async function reachDatabase(db: Pick<Database, 'check'>, log: Log): Promise<void> {
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
