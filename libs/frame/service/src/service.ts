/**
 * A service's definition: its name, its configuration, its schema, its provider adapter, its start and its further commands. One
 * frame (`open.ts`) opens, checks and closes the connections of every service in the same order.
 *
 * Invariant: all work of a service has ended before its connections are closed.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import type { RoutedProvider } from '@financial-agents/provider-client/routed'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Command } from '@financial-agents/runtime/command'
import type { busConfig, Environment } from '@financial-agents/runtime/config'
import type { Log, LogDestination } from '@financial-agents/runtime/log'
import type { Commands, Program } from '@financial-agents/runtime/program'
import type { z } from 'zod'
import { type Checks, type Started } from './launch.ts'
import { serveCommand } from './serve-command.ts'

/** A PostgreSQL schema with the function that opens it and the command that migrates it. `postgresSchema` creates one. */
export type DatabaseSchema<Config> = {
  open: (options: OpenDatabase<Config>) => Database
  /** The command `migrate` of the service that owns the schema. */
  migrate: (service: string) => Command
}

/** The options with which a pool is opened. The `Pool` options are absent for the service's own pool. */
export type OpenDatabase<Config> = {
  config: Config
  name: string
  schema?: string | undefined
  log: Log
} & Partial<Pool>

/** An additional pool. Queries that wait in one pool take no connection from another. */
export type Pool = {
  /** The pool's name in the metrics. */
  pool: string
  maxConnections: number
  statementTimeoutMs: number
}

/** The connections and tools that every service receives. */
type Connected = { bus: Bus; log: Log; clock: Clock }

/** The additional parts that a service with a schema receives. */
type WithDatabase = {
  db: Database
  /** Opens another pool of the same schema. The frame closes it together with the service's own pool. */
  openPool: (pool: Pool) => Database
}

/** The parts that a service receives, which depend on its definition. The frame opens and closes them. */
export type Opened<Schema, OpenedProvider> = Connected &
  (undefined extends Schema ? unknown : WithDatabase) &
  ([OpenedProvider] extends [never] ? unknown : { provider: RoutedProvider })

export type Running = {
  /** The service's own checks. `/ready` runs them in addition to the checks of the frame's connections, if it runs these. */
  checks?: Checks
  /** Stops taking work and finishes current work. All connections are still open. */
  stop: () => Promise<void>
  /** Closes the parts that answer calls. The frame calls it after the bus is drained. */
  close?: () => Promise<void>
}

type BusConfig = z.output<typeof busConfig>

export type { Checks, Started } from './launch.ts'

export type ServiceOptions<Config extends z.ZodObject, Schema, OpenedProvider> = {
  /** Also the name of the service's user on the bus, of its database role and of its schema. */
  name: string
  /** One sentence about the service, for its help. */
  summary: string
  /** The variables of the service, in addition to those that every service takes. */
  config: Config
  database?: Schema
  /** If set, the start needs rows, and the frame first waits until the database answers. */
  startsFromRows?: true
  /**
   * If set, `/ready` does not depend on the bus and the database: the service answers its clients by itself while they are out
   * of reach.
   */
  answersAlone?: true
  /** Named adapters have variables of their own in `environment`. */
  provider?: (config: z.output<Config>, environment: Environment) => OpenedProvider
  /** If the clock may be moved, the global `Date` follows it. Needed if a library of the service reads the system's time. */
  dateFollowsClock?: true
  /**
   * Starts the service. It imports the service's modules, so that other commands run without loading them. When it resolves, the
   * service has subscribed to all its subjects.
   */
  start: (config: z.output<Config>, opened: Opened<Schema, OpenedProvider>) => Promise<Running>
  /** Commands in addition to `serve` and, with a schema, `migrate`. Each command is a module of its own. */
  commands?: Commands
}

/** The arguments with which a service is started. */
export type ServiceContext<Config extends z.ZodObject> = {
  config: z.output<Config>
  log: Log
  clock: Clock
  /** The variables of named adapters; none if absent. */
  environment?: Environment
  /** For tests only: a schema other than the one named after the service. */
  schema?: string
}

/** A program with one service, which can also be launched beside others in one process. */
export type ServiceProgram = {
  program: Program
  /** Launches the service with these variables alone. Resolves once it has begun to start. */
  launch: (
    environment: Environment,
    destination?: LogDestination,
  ) => Promise<{
    ready: Promise<void>
    stop: () => Promise<void>
  }>
}

/** A service that can run as a program, or be started in a test. */
export type Service<Config extends z.ZodObject> = ServiceProgram & {
  /** Opens the service's connections and starts the service. Resolves once the server knows all its subscriptions. */
  start: (given: ServiceContext<Config>) => Promise<Started>
}

/** The compiler requires a configuration that can open the named schema and provider adapter. */
export function defineService<
  Config extends z.ZodObject & z.ZodType<BusConfig>,
  Schema extends DatabaseSchema<z.output<Config>> | undefined = undefined,
  OpenedProvider extends Promise<RoutedProvider> = never,
>(options: ServiceOptions<Config, Schema, OpenedProvider>): Service<Config> {
  const { name, summary, database } = options
  const start = async (given: ServiceContext<Config>) => (await import('./open.ts')).openService(options, given)
  const serve = serveCommand({ ...options, start })
  const migrate: Commands = database ? { migrate: async () => ({ command: database.migrate(name) }) } : {}
  const commands = { serve: async () => ({ command: serve }), ...migrate, ...options.commands }
  return {
    program: { name, summary, commands },
    launch: async (environment, destination) =>
      (await import('./launch.ts')).launch({ ...options, start }, environment, destination),
    start,
  }
}
