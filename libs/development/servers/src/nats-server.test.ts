import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type NatsConnection, nkeyAuthenticator, nkeys } from 'nats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NatsPorts, type NatsServer, startNats } from './nats-server.ts'
import { isPortFree } from './ports.ts'

// The tests kill the server, so they never use a server that the environment provides.
const sources = ['container', 'path', 'cache', 'debian', 'go'] as const
const log = () => {}
const user = (nkeys as { createUser(): { getPublicKey(): string; getSeed(): Uint8Array } }).createUser()

const config = ({ host, client, monitor }: NatsPorts, storeDir: string) => `
host: "${host}"
port: ${client}
http: "${host}:${monitor}"
jetstream { store_dir: "${storeDir}" }
accounts { CORE { jetstream: enabled, users: [{ nkey: ${user.getPublicKey()} }] } }
`

async function withConnection<Result>(url: string, use: (nats: NatsConnection) => Promise<Result>): Promise<Result> {
  const nats = await connect({ servers: url, authenticator: nkeyAuthenticator(user.getSeed()), reconnect: false })
  try {
    return await use(nats)
  } finally {
    await nats.close()
  }
}

/** The client waits a few seconds by default. */
const patient = { timeout: 60_000 }

const countMessages = (url: string) =>
  withConnection(
    url,
    async (nats) => (await (await nats.jetstreamManager(patient)).streams.info('NOTES')).state.messages,
  )

const originalTmp = process.env['TMPDIR']
let temporary: string
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'testkit-test-'))
  await chmod(temporary, 0o755)
  process.env['TMPDIR'] = temporary
})
afterAll(async () => {
  if (originalTmp === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = originalTmp
  await rm(temporary, { recursive: true })
})

describe('a nats-server', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await startNats({ config, log, sources })
    await withConnection(server.url, async (nats) => {
      const manager = await nats.jetstreamManager(patient)
      await manager.streams.add({ name: 'NOTES', subjects: ['notes.>'] })
      await nats.jetstream(patient).publish('notes.first', 'words')
    })
  })
  afterAll(() => server?.stop())

  test('carries a request to a responder and tells its health', async () => {
    const answer = await withConnection(server.url, async (nats) => {
      nats.subscribe('echo', { callback: (_error, message) => message.respond(message.data) })
      return (await nats.request('echo', 'words', patient)).string()
    })
    expect(answer).toBe('words')
    const health = await fetch(`${server.monitorUrl}/healthz`)
    expect(await health.json()).toEqual({ status: 'ok' })
  })

  test('lets nobody in without a key', async () => {
    await expect(connect({ servers: server.url, reconnect: false })).rejects.toMatchObject({
      code: 'AUTHORIZATION_VIOLATION',
    })
  })

  test('keeps its configuration to its owner', async () => {
    for (const folder of await readdir(temporary)) {
      expect((await stat(join(temporary, folder))).mode & 0o777).toBe(0o700)
      expect((await stat(join(temporary, folder, 'nats.conf'))).mode & 0o777).toBe(0o600)
    }
  })

  test('keeps a stream through a kill, on the same address', async () => {
    await server.kill()
    expect(await isPortFree(Number(new URL(server.url).port))).toBe(true)
    expect(server.pid).toBeUndefined()
    await server.start()
    expect(await countMessages(server.url)).toBe(1)
  })

  test('forgets every stream where its store is wiped', async () => {
    await server.kill()
    await server.start({ wipeStore: true })
    await expect(countMessages(server.url)).rejects.toThrow('stream not found')
  })

  test('leaves no process and no store when stopped', async () => {
    await server.stop()
    await server.stop()
    expect(server.pid).toBeUndefined()
    expect(await isPortFree(Number(new URL(server.url).port))).toBe(true)
    expect(await readdir(temporary)).toEqual([])
    await expect(server.start()).rejects.toThrow('removed')
  })
})

test('a backup restores the messages of its moment', async () => {
  const server = await startNats({ config, log, sources: ['path', 'cache', 'debian', 'go'] })
  const add = (word: string) =>
    withConnection(server.url, (nats) => nats.jetstream(patient).publish(`notes.${word}`, word))
  try {
    await withConnection(server.url, async (nats) =>
      (await nats.jetstreamManager(patient)).streams.add({ name: 'NOTES', subjects: ['notes.>'] }),
    )
    await add('before')
    const backup = await server.backUp()
    await add('after')
    await backup.restore()
    expect(await countMessages(server.url)).toBe(1)
  } finally {
    await server.stop()
  }
})

test('a configuration that nats-server refuses ends in one line with its reason', async () => {
  const started = startNats({
    config: () => 'jetstream { store_dir: 1 }\n',
    log,
    sources: ['path', 'cache', 'debian', 'go'],
  })
  await expect(started).rejects.toThrow(/^nats-server \S+ stopped while starting \(exit code 1\): [^\n]+$/)
  expect(await readdir(temporary)).toEqual([])
})

test('where no source is left, one line says what to install', async () => {
  const failure = await startNats({ config, log, sources: [] }).catch((error: Error) => error.message)
  expect(failure).toMatch(/^no nats-server 2\.10\.27 or newer was found: .*NATS_URL[^\n]*$/)
})

test('an aborted start ends with the reason of the abort', async () => {
  const started = startNats({ config, log, sources, signal: AbortSignal.abort(new Error('stopped by the owner')) })
  await expect(started).rejects.toThrow('stopped by the owner')
})
