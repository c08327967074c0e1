/**
 * The whole system on one machine: PostgreSQL, nats-server, the fake provider, the fake identity provider and every
 * service, with the accounts, roles and permissions of production. The services run in one process, unless the options
 * name those with a process of their own. A stack stops exactly what it started.
 */

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Nats, startProvisionedNats } from '@financial-agents/bus/testing/nats'
import { createComponentKeys } from '@financial-agents/deploy/secrets/values'
import { roleUrl, type ServiceRoles } from '@financial-agents/postgres/provision'
import type { PermittedNatsSource } from '@financial-agents/servers/nats-server'
import { getFreePort, isPortFree, keepPort } from '@financial-agents/servers/ports'
import { type PostgresServer, type PostgresSource, startPostgres } from '@financial-agents/servers/postgres-server'
import { makeWitnesses } from '@financial-agents/witness/make'
import { describeIdentityProvider } from './fake-identity-provider.ts'
import { createProcesses, type Processes, putClock, type TogetherPlan } from './processes.ts'
import type { Bundles } from './programs.ts'
import { createSchemas, type MigratedDatabase } from './schemas.ts'
import { type Seed, type SeededClient, writeSeed } from './seed.ts'
import { type ServiceName, type StackFacts, serviceEnvironment, serviceNames } from './stack-services.ts'
import type { System } from './system.ts'

/** Differences from the usual stack. */
export type StackOptions = {
  /** The folder for keys, registrations and logs; created if absent. */
  folder: string
  /** The gateway's port; a free one if absent. */
  port?: number
  enabledCapabilities?: readonly string[]
  /** The least time that every call to the fake provider takes. */
  providerLatencyMs?: number
  /** The address of the control listener, which the fake provider tells. */
  controlUrl?: string
  postgresSettings?: Record<string, string>
  /** The services with a process of their own: those that a test kills, stops, freezes or replaces. `true`: all. */
  processes?: true | readonly ServiceName[]
  /** Bundles to start in place of the sources, for services with a process of their own. */
  bundles?: Bundles
  /** The bundle of the services that run together; their sources if absent. */
  system?: string
  /** Runs the services that run together in this process, in place of one of their own. */
  inProcess?: System
  /** Starts from a copy of this database. If absent: from an empty one, which is migrated first. */
  database?: MigratedDatabase
  /** The permitted sources of PostgreSQL; all if absent. */
  postgresSources?: readonly PostgresSource[]
  /** The permitted sources of nats-server; all if absent. */
  natsSources?: readonly Exclude<PermittedNatsSource, 'environment'>[]
  /** The services to start; all if absent. */
  services?: readonly ServiceName[]
  /** More environment for a service, for example shorter background jobs. */
  environment?: Partial<Record<ServiceName | 'all', Record<string, string>>>
  /** Declares clients in addition to the seeded ones before anything starts; returns the file to apply. */
  registerClients?: (folder: string, seed: Seed) => Promise<string>
  log: (line: string) => void
  signal?: AbortSignal
}

/** The whole system, running. */
export type Stack = Omit<Processes, 'startFake' | 'startTogether' | 'restartTogether' | 'stopAll'> & {
  baseUrl: string
  providerUrl: string
  /** The issuer of the fake identity provider, where operators sign in. */
  identityProviderUrl: string
  clients: SeededClient[]
  postgres: PostgresServer
  nats: Nats
  /** The keys of this stack; no other stack has them. */
  keys: StackFacts['keys']
  /** The registrations and bindings that were applied at the start. */
  declarations: { clientsFile: string; bindingsFile: string }
  /** Moves the clocks of all services and of the fake provider. Returns the time that they show. */
  advanceClock(byMs: number): Promise<Date>
  /** Brings everything back to the start: data, streams, provider and clock. Only for `inProcess`. */
  reset(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts everything and waits until every service is ready.
 * @throws Error in one line that says what is missing or which service failed
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { log, folder } = options
  if (options.port !== undefined && !(await isPortFree(options.port)))
    throw new Error(`port ${options.port} is in use: stop what uses it, or choose another with --port`)
  if (options.port !== undefined) keepPort(options.port)
  const port = options.port ?? (await getFreePort())
  const baseUrl = `http://127.0.0.1:${port}`
  await mkdir(join(folder, 'logs'), { recursive: true, mode: 0o700 })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each().catch(() => {})
  }
  try {
    const [postgres, nats, provider, identityProvider, seed] = await settleAll([
      startPostgres({
        log,
        settings: options.postgresSettings ?? {},
        ...(options.postgresSources ? { sources: options.postgresSources } : {}),
        ...(options.database ? { data: options.database.data } : {}),
        ...pick(options, 'signal'),
      }).then((server) => {
        stops.push(() => server.stop())
        return server
      }),
      startProvisionedNats({
        log,
        ...(options.natsSources ? { sources: options.natsSources } : {}),
        ...pick(options, 'signal'),
      }).then((started) => {
        stops.push(() => started.server.stop())
        return started
      }),
      describeProvider(options),
      // The second address is for a console with a host of its own.
      describeIdentityProvider(
        [baseUrl, baseUrl.replace('127.0.0.1', 'localhost')].map((origin) => `${origin}/ops/signed-in`),
      ),
      writeSeed(folder, { origin: baseUrl }).then(async (seeded) => ({
        ...seeded,
        clientsFile: (await options.registerClients?.(folder, seeded)) ?? seeded.clientsFile,
      })),
    ])
    const facts: StackFacts = {
      keys: createComponentKeys(),
      baseUrl,
      port,
      providerUrl: provider.url,
      identityProvider,
      enabledCapabilities: options.enabledCapabilities ?? [],
    }
    let roles = options.database?.roles ?? []
    const addressOf = (name: ServiceName) => databaseUrlOf(name, roles, postgres) as string
    const processes = createProcesses({
      logFolder: join(folder, 'logs'),
      gatewayUrl: baseUrl,
      environmentOf: (name) => environmentOf(name, { facts, nats, options, postgres, roles }),
      ...pick(options, 'bundles'),
      ...pick(options, 'system'),
      ...pick(options, 'inProcess'),
      ...pick(options, 'signal'),
    })
    stops.push(() => processes.stopAll())
    if (!options.database) {
      log('migrating the schemas')
      roles = await createSchemas(postgres.adminUrl, (name, environment) =>
        processes.runCommand(name, 'migrate', [], environment),
      )
    }
    const addresses = { operations: addressOf('operations'), submitter: addressOf('submitter') }
    const provision = () => nats.provision((bus) => makeWitnesses(bus, addresses))
    await provision()
    const services = options.services ?? serviceNames
    log(`registering clients and starting ${services.length} services`)
    const isAlone = (name: ServiceName) =>
      options.processes === true ||
      options.processes?.includes(name) ||
      (!options.inProcess && hasTelemetry(processes.environmentOf(name)))
    const alone = services.filter(isAlone)
    const plan = {
      services: services.filter((name) => !isAlone(name)),
      fakes: { 'fake-provider': provider.environment, 'fake-identity-provider': identityProvider.environment },
      commands: [
        { service: 'authz', command: 'apply-clients', file: seed.clientsFile },
        { service: 'onboarding', command: 'apply-bindings', file: seed.bindingsFile },
      ] as const,
    }
    const system = options.processes === true ? startApart(plan, processes) : processes.startTogether(plan)
    await settleAll([
      system,
      ...alone.map(async (name) => {
        // The gateway reads the clients' origins once when it starts.
        if (name === 'gateway') await system
        return processes.start(name)
      }),
    ])
    let offsetMs = 0
    return {
      advanceClock: async (byMs) => {
        offsetMs += byMs
        await Promise.all([
          processes.moveClock(services, offsetMs),
          putClock(`${provider.url}/control/clock`, offsetMs),
        ])
        return new Date(Date.now() + offsetMs)
      },
      reset: async () => {
        await processes.restartTogether(async () => {
          await nats.server.kill()
          await settleAll([postgres.reset(), nats.server.start({ wipeStore: true })])
          await provision()
        })
        offsetMs = 0
      },
      baseUrl,
      providerUrl: provider.url,
      identityProviderUrl: identityProvider.issuer,
      clients: seed.clients,
      postgres,
      nats: { ...nats, provision },
      keys: facts.keys,
      ...processes,
      declarations: { clientsFile: seed.clientsFile, bindingsFile: seed.bindingsFile },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Waits for all, even if one fails, so that everything that was started is known and can be stopped. */
async function settleAll<Values extends readonly unknown[]>(
  work: {
    [Index in keyof Values]: Promise<Values[Index]>
  },
): Promise<Values> {
  const results = await Promise.allSettled(work)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as Values
}

async function describeProvider({ providerLatencyMs = 0, controlUrl }: StackOptions) {
  const port = await getFreePort()
  const environment = {
    PORT: String(port),
    // A double submission has its full effect, so that no test overlooks one.
    EXECUTES_REPEATS: 'true',
    PROVIDER_LATENCY_MS: String(providerLatencyMs),
    ...(controlUrl !== undefined && { SYSTEM_CONTROL_URL: controlUrl }),
  }
  return { url: `http://127.0.0.1:${port}`, environment }
}

type Surroundings = {
  options: StackOptions
  facts: StackFacts
  postgres: PostgresServer
  nats: Nats
  roles: readonly ServiceRoles[]
}

function environmentOf(
  name: ServiceName,
  { facts, nats, options, postgres, roles }: Surroundings,
): Record<string, string> {
  const databaseUrl = databaseUrlOf(name, roles, postgres)
  return {
    PATH: process.env.PATH ?? '',
    ...otelVariables(name),
    ENVIRONMENT: 'local',
    LOG_LEVEL: 'info',
    HEALTH_HOST: '127.0.0.1',
    MOVABLE_CLOCK: 'true',
    NATS_URL: nats.server.url,
    NATS_NKEY_SEED: nats.seeds[name],
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...facts.keys[name],
    ...serviceEnvironment[name](facts),
    ...options.environment?.all,
    ...options.environment?.[name],
  }
}

function databaseUrlOf(name: ServiceName, roles: readonly ServiceRoles[], postgres: PostgresServer) {
  const role = roles.find((entry) => entry.service === name)
  return role && roleUrl(postgres.adminUrl, role)
}

/** Runs what the plan names in processes of their own. */
async function startApart({ fakes, commands }: TogetherPlan, processes: Processes): Promise<void> {
  await settleAll([
    ...Object.entries(fakes).map(([name, environment]) => processes.startFake(name, environment)),
    ...commands.map(({ service, command, file }) => processes.runCommand(service, command, [file])),
  ])
}

/** OpenTelemetry patches a process, and so a service with telemetry has its own. */
function hasTelemetry(environment: Record<string, string>): boolean {
  return Boolean(environment['OTEL_EXPORTER_OTLP_ENDPOINT'] || environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
}

function otelVariables(name: ServiceName): Record<string, string> {
  const given = Object.entries(process.env).filter(([variable]) => variable.startsWith('OTEL_'))
  return { ...(Object.fromEntries(given) as Record<string, string>), OTEL_SERVICE_NAME: name }
}

function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  name: Name,
): Partial<Pick<Source, Name>> {
  return source[name] === undefined ? {} : ({ [name]: source[name] } as Pick<Source, Name>)
}

export function removeStackFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
