/** A user that a real server no longer knows: the connection is lost for good, and its owner is notified. */

import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLog } from '@financial-agents/runtime/log'
import { type NatsServer, startNats } from '@financial-agents/servers/nats-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBus } from './connect.ts'
import { createUserKey } from './nkey.ts'

const log = createLog({ service: 'test', level: 'silent' })
const key = createUserKey()

/** The users, in a file that the server's configuration includes. */
let usersFile: string
let server: NatsServer

const letIn = (publicKey: string) =>
  writeFileSync(usersFile, `authorization { users: [{ nkey: ${publicKey} }] }`, { mode: 0o644 })

beforeAll(async () => {
  server = await startNats({
    log: () => {},
    sources: ['path', 'cache', 'debian', 'go'],
    config: ({ host, client }, storeDir) => {
      usersFile = join(dirname(storeDir), 'users.conf')
      letIn(key.publicKey)
      return `listen: "${host}:${client}"\ninclude "users.conf"`
    },
  })
})
afterAll(() => server?.stop())

test('a service is notified if the server no longer knows its user, and not if the server is away for a while', async () => {
  const lost = Promise.withResolvers<Error>()
  const heard: string[] = []
  const bus = await connectBus({
    config: { NATS_URL: server.url, NATS_NKEY_SEED: key.seed },
    name: 'cards',
    log,
    onLost: lost.resolve,
  })
  bus.watch((status) => heard.push(status))
  await server.kill()
  await server.start()
  await expect.poll(() => heard).toContain('reconnect')
  await bus.check()
  letIn(createUserKey().publicKey)
  await server.kill()
  await server.start()
  const error = await lost.promise
  expect(error.message).toBe('the connection to NATS is closed for good')
  expect(bus.connection.isClosed()).toBe(true)
})
