import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPortFree } from './ports.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

// The tests kill the server, so they never use a server that the environment provides.
const ownSources = ['container', 'path', 'npm'] as const
const log = () => {}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

const portOf = (url: string) => Number(new URL(url).port)

// The tests use a temporary directory of their own, so every file left in it was left by these tests.
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
  expect(await readdir(temporary)).toEqual([])
  await rm(temporary, { recursive: true })
})
const folders = () => readdir(temporary)

describe('a PostgreSQL server', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ log, sources: ownSources, settings: { work_mem: '5MB' } })
    await query(server.adminUrl, 'create table notes (words text)')
  })
  afterAll(() => server?.stop())

  test('is as durable as in production and takes settings', async () => {
    const settings = await query<{ name: string; setting: string }>(
      server.adminUrl,
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'max_connections', 'work_mem')`,
    )
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      max_connections: '200',
      work_mem: '5120',
    })
  })

  test('lets nobody in without the password', async () => {
    const wrong = new URL(server.adminUrl)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  test('keeps what was committed through a kill, on the same address', async () => {
    await query(server.adminUrl, `insert into notes values ('before the kill')`)
    const pidBefore = server.pid
    await server.kill()
    expect(await isPortFree(portOf(server.adminUrl))).toBe(true)
    await server.restart()
    expect(await query(server.adminUrl, 'select words from notes')).toEqual([{ words: 'before the kill' }])
    if (server.source !== 'container') expect(server.pid).not.toBe(pidBefore)
  })

  test('keeps its data through a restart while it runs', async () => {
    await server.restart()
    expect(await query(server.adminUrl, 'select words from notes')).toEqual([{ words: 'before the kill' }])
  })
})

test('the binaries from npm serve, and stopping leaves no process and no data', async () => {
  const before = await folders()
  const server = await startPostgres({ log, sources: ['npm'] })
  try {
    expect(server).toMatchObject({ source: 'npm', version: expect.stringMatching(/^18\./) })
    expect(await query(server.adminUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  } finally {
    await server.stop()
  }
  expect(server.pid).toBeUndefined()
  expect(await isPortFree(portOf(server.adminUrl))).toBe(true)
  expect(await folders()).toEqual(before)
  await expect(server.restart()).rejects.toThrow('removed')
})

test('a backup restores the moment at which it was made, as often as wanted', async () => {
  const server = await startPostgres({ log, sources: ['path', 'npm'] })
  const words = () => query(server.adminUrl, 'select words from notes')
  try {
    await query(server.adminUrl, `create table notes as select 'before' as words`)
    const backup = await server.backUp()
    for (const later of ['after', 'again']) {
      await query(server.adminUrl, `insert into notes values ('${later}')`)
      expect(await words()).toHaveLength(2)
      await backup.restore()
      expect(await words()).toEqual([{ words: 'before' }])
    }
  } finally {
    await server.stop()
  }
})

test('a standby has what was committed before it fell behind, and takes the address of its server', async () => {
  const server = await startPostgres({ log, sources: ['path', 'npm'] })
  const words = (url: string) => query(url, 'select words from notes')
  try {
    await query(server.adminUrl, `create table notes as select 'before' as words`)
    const standby = await server.startStandby()
    await query(server.adminUrl, `update notes set words = 'streamed'`)
    await standby.fallBehind()
    await query(server.adminUrl, `update notes set words = 'lost'`)
    expect(await words(standby.adminUrl)).toEqual([{ words: 'streamed' }])
    await server.kill()
    await standby.promote()
    await query(server.adminUrl, `insert into notes values ('promoted')`)
    expect(await words(server.adminUrl)).toEqual([{ words: 'streamed' }, { words: 'promoted' }])
  } finally {
    await server.stop()
  }
})

test('a standby of a server that was shut down cleanly has everything', async () => {
  const server = await startPostgres({ log, sources: ['path', 'npm'] })
  try {
    const standby = await server.startStandby()
    await query(server.adminUrl, `create table notes as select 'last' as words`)
    await server.freeze()
    await standby.promote()
    expect(await query(server.adminUrl, 'select words from notes')).toEqual([{ words: 'last' }])
  } finally {
    await server.stop()
  }
})

test('an aborted start leaves no data', async () => {
  const before = await folders()
  const started = startPostgres({ log, sources: ['path', 'npm'], signal: AbortSignal.timeout(150) })
  await expect(started).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(await folders()).toEqual(before)
})

test('where no source is left, one line says what to install', async () => {
  const failure = await startPostgres({ log, sources: [] }).catch((error: Error) => error.message)
  expect(failure).toMatch(/^no PostgreSQL 15 or newer was found: .*POSTGRES_URL/)
  expect(failure).not.toContain('\n')
})

test('a setting that PostgreSQL refuses ends in one line with its reason', async () => {
  const started = startPostgres({ log, sources: ['path', 'npm'], settings: { shared_buffers: 'plenty' } })
  await expect(started).rejects.toThrow(
    /^PostgreSQL \S+ stopped while starting \(exit code 1\): .*shared_buffers[^\n]*$/,
  )
})
