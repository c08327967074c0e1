/**
 * A service as one value: its name, its configuration, what it needs to be opened, how it starts, and its further commands. One
 * frame (`open.ts`) opens, checks and closes all of it, for every service in the same order.
 *
 * Invariant: what a service started has ended before the connections that it works with are closed.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import type { Provider } from '@financial-agents/provider/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Command } from '@financial-agents/runtime/command'
import type { busConfig } from '@financial-agents/runtime/config'
import type { Log } from '@financial-agents/runtime/log'
import type { Commands, Program } from '@financial-agents/runtime/program'
import type { z } from 'zod'
import { serveCommand } from './serve-command.ts'

/** A schema of PostgreSQL: how a service opens it, and how it is brought up to date. `postgresSchema` makes one. */
export type DatabaseSchema<Config> = {
  open: (options: OpenDatabase<Config>) => Database
  /** The command `migrate` of the service that owns the schema. */
  migrate: (service: string) => Command
}

/** What a pool is opened with. */
export type OpenDatabase<Config> = {
  config: Config
  name: string
  schema?: string | undefined
  log: Log
} & Partial<Pool>

/** A pool beside the service's own, so that what waits in one takes no connection of the other. */
export type Pool = {
  /** Its name in the metrics. */
  pool: string
  maxConnections: number
  statementTimeoutMs: number
}

/** What every service is given. */
type Connected = { bus: Bus; log: Log; clock: Clock }

/** What a service with a schema is given beside it. */
type WithDatabase = {
  db: Database
  /** One more pool of the same schema; the frame closes it after the service's own. */
  openPool: (pool: Pool) => Database
}

/** What a service is given, by what its value names. The frame opened it, and closes it. */
export type Opened<Schema, OpenedProvider> = Connected &
  (undefined extends Schema ? unknown : WithDatabase) &
  ([OpenedProvider] extends [never] ? unknown : { provider: Provider })

/** What a service started. */
export type Running = {
  /** Asked by `/ready`, beside the connections that the frame opened. */
  checks?: Checks
  /** Stops taking work and finishes what is under way, while every connection is still open. */
  stop: () => Promise<void>
  /** Closes what answers until the bus is drained. */
  close?: () => Promise<void>
}

/** The parts that `/ready` asks: each resolves when the part works and rejects when it does not. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

/** A started service: what it can be asked, and how it stops. */
export type Started = { checks: Checks; stop: () => Promise<void> }

type BusConfig = z.output<typeof busConfig>

/** What makes a service one. */
export type ServiceOptions<Config extends z.ZodObject, Schema, OpenedProvider> = {
  /** Also its user on the bus, its role and its schema. */
  name: string
  /** What the service is, in one sentence. */
  summary: string
  /** What it takes from the environment, beside what every service takes. */
  config: Config
  /** Its schema, where it keeps rows. */
  database?: Schema
  /** The service cannot start without rows: the frame waits until the database answers. */
  startsFromRows?: true
  /** Opens the adapter, where it speaks to the provider. */
  provider?: (config: z.output<Config>) => OpenedProvider
  /** Where the clock may be moved, `Date` moves with it: for a service whose libraries read the system's time. */
  dateFollowsClock?: true
  /**
   * Starts what the service does. Its modules are loaded here, not with the value: the other commands start without them.
   * When it resolves, the service has subscribed to all that it answers.
   */
  start: (config: z.output<Config>, opened: Opened<Schema, OpenedProvider>) => Promise<Running>
  /** Beside `serve` and, with a schema, `migrate`; each a module of its own. */
  commands?: Commands
}

/** What a service starts with. */
export type Given<Config extends z.ZodObject> = {
  config: z.output<Config>
  log: Log
  clock: Clock
  /** Tests alone: another schema than the one of the service's name. */
  schema?: string
}

/** A service, ready to be run as a program or started within a test. */
export type Service<Config extends z.ZodObject> = {
  program: Program
  /** Opens what the service needs, starts it, and resolves once it answers. */
  start: (given: Given<Config>) => Promise<Started>
}

/** Declares a service. The compiler asks for a configuration with which everything that the value names can be opened. */
export function defineService<
  Config extends z.ZodObject & z.ZodType<BusConfig>,
  Schema extends DatabaseSchema<z.output<Config>> | undefined = undefined,
  OpenedProvider extends Promise<Provider> = never,
>(options: ServiceOptions<Config, Schema, OpenedProvider>): Service<Config> {
  const { name, summary, database } = options
  const start = async (given: Given<Config>) => (await import('./open.ts')).openService(options, given)
  const serve = serveCommand({ ...options, start })
  const migrate: Commands = database ? { migrate: async () => ({ command: database.migrate(name) }) } : {}
  const commands = { serve: async () => ({ command: serve }), ...migrate, ...options.commands }
  return { program: { name, summary, commands }, start }
}
