/**
 * The two NATS configurations that we deliver, as a server gets them: the accounts file of the development profile, and
 * the values for the official chart as that chart renders them. Both take keys from the server's environment.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bus, connectBus } from '@financial-agents/bus/connect'
import { createUserKey } from '@financial-agents/bus/nkey'
import { provisionStreams } from '@financial-agents/bus/provision-streams'
import { type UserName, userNames } from '@financial-agents/bus/topology'
import { publicKeyVariables } from '@financial-agents/deploy/secrets/names'
import { createLog } from '@financial-agents/runtime/log'
import { type NatsPorts, startNats } from '@financial-agents/servers/nats-server'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')

type Render = (ports: NatsPorts, storeDir: string) => string

/** The accounts file, with the lines that the chart's ConfigMap puts around it. */
const included: Render = (ports, storeDir) =>
  [
    `listen: "${ports.host}:${ports.client}"`,
    'server_name: development',
    'max_payload: 1MB',
    `jetstream { store_dir: "${storeDir}", max_file_store: 4GB }`,
    readFileSync(join(root, 'helm/financial-agents-api/files/nats-accounts.conf'), 'utf8'),
  ].join('\n')

type ChartValues = { config: { merge: Record<string, unknown> } }

/**
 * The official chart merges `config.merge` into its own configuration, writes JSON, and removes the quotes around << …
 * >>.
 */
const ofTheChart: Render = (ports, storeDir) => {
  const { config } = parse(readFileSync(join(root, 'deploy/nats/values.yaml'), 'utf8')) as ChartValues
  const document = {
    server_name: 'nats-0',
    lame_duck_grace_period: '10s',
    host: ports.host,
    port: ports.client,
    jetstream: { store_dir: storeDir, max_file_store: '<< 4GB >>', max_memory_store: 0 },
    ...config.merge,
  }
  return JSON.stringify(document, null, 2).replace(/"<<\s+(.*)\s+>>"/g, '$1')
}

/** The configurations by name. */
export const configurations = { 'the development profile': included, "the official chart's values": ofTheChart }

/** Starts a server with one of them. Users connect with their current or their next key. */
export async function startConfigured(render: Render) {
  const keys = new Map(userNames.map((name) => [name, [createUserKey(), createUserKey()] as const]))
  for (const [name, pair] of keys)
    publicKeyVariables(name).forEach((variable, index) => {
      process.env[variable] = pair[index as 0 | 1].publicKey
    })
  // A container would not have our environment.
  const server = await startNats({ log: () => {}, config: render, sources: ['path', 'cache', 'debian', 'go'] })
  const open: Bus[] = []
  const connect = async (name: UserName, { next = false } = {}) => {
    const [current, other] = keys.get(name) as NonNullable<ReturnType<typeof keys.get>>
    const config = { NATS_URL: server.url, NATS_NKEY_SEED: (next ? other : current).seed }
    const bus = await connectBus({ config, name, log: createLog({ service: name, level: 'silent' }) })
    open.push(bus)
    return bus
  }
  await provisionStreams(await connect('provisioner'), { replicas: 1 })
  return {
    url: server.url,
    connect,
    stop: async () => {
      await Promise.allSettled(open.map((bus) => bus.connection.close()))
      await server.stop()
    },
  }
}

/** A configured server with its users. */
export type Configured = Awaited<ReturnType<typeof startConfigured>>
