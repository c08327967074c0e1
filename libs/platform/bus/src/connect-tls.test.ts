/**
 * TLS connections to a real server with a certificate of its own: TLS is always used, and unknown servers are rejected.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@financial-agents/runtime/log'
import { type NatsServer, startNats } from '@financial-agents/servers/nats-server'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bus, connectBus } from './connect.ts'
import { createUserKey } from './nkey.ts'
import { renderServerConfig } from './server-config.ts'
import { type UserName, userNames } from './topology.ts'

const log = createLog({ service: 'test', level: 'silent' })
const keys = new Map(userNames.map((name) => [name, createUserKey()]))
const publicKeys = Object.fromEntries([...keys].map(([name, key]) => [name, key.publicKey])) as Record<UserName, string>

let folder: string
let secured: NatsServer
let plain: NatsServer

const file = (name: string) => join(folder, name)

async function writeCertificate(name: string): Promise<void> {
  const altNames = [
    { type: 2 as const, value: 'localhost' },
    { type: 7 as const, ip: '127.0.0.1' },
  ]
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  // If the tests run as root, the server runs as another user.
  await writeFile(file(`${name}.pem`), cert, { mode: 0o644 })
  await writeFile(file(`${name}.key`), key, { mode: 0o644 })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bus-tls-'))
  await writeCertificate('server')
  await writeCertificate('stranger')
  const start = (more: string) =>
    startNats({
      log: () => {},
      sources: ['path', 'cache', 'debian', 'go'],
      config: (ports, storeDir) =>
        `${renderServerConfig({ publicKeys, host: ports.host, port: ports.client, monitorPort: ports.monitor, storeDir })}\n${more}`,
    })
  secured = await start(`tls { cert_file: "${file('server.pem')}", key_file: "${file('server.key')}" }`)
  plain = await start('')
})
afterAll(async () => {
  await secured?.stop()
  await plain?.stop()
  await rm(folder, { recursive: true })
})

function open(url: string, caFile?: string): Promise<Bus> {
  const config = { NATS_URL: url, NATS_NKEY_SEED: keys.get('cards')?.seed as string, NATS_CA_FILE: caFile }
  return connectBus({ config, name: 'cards', log, waits: false })
}

const asTls = (server: NatsServer) => server.url.replace('nats://', 'tls://')

test('a server with a certificate of a known authority is connected by TLS', async () => {
  for (const url of [asTls(secured), secured.url, asTls(secured).replace('127.0.0.1', 'localhost')]) {
    const bus = await open(url, file('server.pem'))
    expect(bus.connection.info?.tls_required).toBe(true)
    await bus.check()
    await bus.drain()
  }
})

test('a server with a certificate of an unknown authority is rejected', async () => {
  await expect(open(asTls(secured), file('stranger.pem'))).rejects.toThrow()
  await expect(open(asTls(secured))).rejects.toThrow()
  await expect(open(secured.url)).rejects.toThrow()
})

test('if TLS is configured, a server without TLS is rejected', async () => {
  await expect(open(asTls(plain))).rejects.toThrow()
  await expect(open(plain.url, file('server.pem'))).rejects.toThrow()
  await (await open(plain.url)).drain()
})
