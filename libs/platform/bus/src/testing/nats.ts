/**
 * A nats-server with the accounts, users and streams of production. Each start creates new keys for the users, and a
 * key is given only to the process that runs as its user.
 */

import { createLog } from '@financial-agents/runtime/log'
import { type NatsServer, type PermittedNatsSource, startNats } from '@financial-agents/servers/nats-server'
import { type Bus, connectBus } from '../connect.ts'
import { createUserKey } from '../nkey.ts'
import { provisionStreams } from '../provision-streams.ts'
import { renderServerConfig } from '../server-config.ts'
import { type UserName, userNames } from '../topology.ts'

/** A nats-server with a user for each service. */
export type Nats = {
  server: NatsServer
  seeds: Readonly<Record<UserName, string>>
  /** Creates the streams and consumers, and then does `also` as the provisioner. Called again after the store was wiped. */
  provision(also?: (bus: Bus) => Promise<unknown>): Promise<void>
}

export async function startProvisionedNats(options: {
  log: (line: string) => void
  /** The permitted sources; all but a server from the environment, which has users of its own, if absent. */
  sources?: readonly Exclude<PermittedNatsSource, 'environment'>[]
  signal?: AbortSignal
}): Promise<Nats> {
  const keys = Object.fromEntries(userNames.map((name) => [name, createUserKey()])) as Record<
    UserName,
    ReturnType<typeof createUserKey>
  >
  const publicKeys = mapKeys(keys, (key) => key.publicKey)
  const seeds = mapKeys(keys, (key) => key.seed)
  const server = await startNats({
    sources: ['container', 'path', 'cache', 'debian', 'go'],
    ...options,
    config: (ports, storeDir) =>
      renderServerConfig({ publicKeys, host: ports.host, port: ports.client, monitorPort: ports.monitor, storeDir }),
  })
  const provision: Nats['provision'] = async (also) => {
    const bus = await connectAs(server.url, 'provisioner', seeds.provisioner)
    await provisionStreams(bus, { replicas: 1 })
    await also?.(bus)
    await bus.drain()
  }
  await provision()
  return { server, seeds, provision }
}

export type ConnectionOptions = {
  /** The time for which a request waits after its deadline. 0 for requests that the test leaves without an answer. */
  graceMs: number
}

export type TestNats = Nats & {
  /** Connects as one of the users, with the options of `startTestNats` if it has none of its own. */
  connect(user: UserName, options?: ConnectionOptions): Promise<Bus>
  stop(): Promise<void>
}

/** Starts a server for the test file. `stop` closes the connections that `connect` opened, and then the server. */
export async function startTestNats(usual: ConnectionOptions = { graceMs: 60_000 }): Promise<TestNats> {
  const nats = await startProvisionedNats({ log: () => {} })
  const connections: Bus[] = []
  return {
    ...nats,
    connect: async (user, { graceMs } = usual) => {
      const bus = await connectAs(nats.server.url, user, nats.seeds[user], graceMs)
      connections.push(bus)
      return bus
    },
    stop: async () => {
      await Promise.allSettled(connections.map((bus) => bus.connection.close()))
      await nats.server.stop()
    },
  }
}

const silentLog = createLog({ service: 'testkit', level: 'silent' })

function connectAs(servers: string, name: UserName, seed: string, graceMs = 0): Promise<Bus> {
  const config = { NATS_URL: servers, NATS_NKEY_SEED: seed, NATS_REQUEST_GRACE_MS: graceMs }
  return connectBus({ config, name, log: silentLog })
}

function mapKeys<Value, Result>(record: Record<UserName, Value>, map: (value: Value) => Result) {
  return Object.fromEntries(userNames.map((name) => [name, map(record[name])])) as Record<UserName, Result>
}
