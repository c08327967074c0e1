/** `pnpm dev` as its user runs it: its output, its files, its cleaning up, and its failures. */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { getFreePort } from '@financial-agents/servers/ports'
import { createServiceClient } from '@financial-agents/testkit/client'
import { afterEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const stackFile = join(root, '.dev/stack.json')

type Run = { child: ChildProcess; output: () => string; exit: Promise<number | null> }

const runs: Run[] = []
afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.child.kill('SIGTERM')
    await run.exit
  }
})

/** Runs it in a process group of its own, as a foreground job of a terminal. */
function dev(...args: string[]): Run {
  const child = spawn(process.execPath, ['libs/dev/src/dev.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const run = { child, output: () => text, exit }
  runs.push(run)
  return run
}

const shows = (run: Run, words: string) => expect.poll(run.output, { timeout: 50_000, interval: 100 }).toContain(words)

test('it walks through one write, writes stack.json, stays up, and Ctrl-C leaves nothing behind', async () => {
  const port = await getFreePort()
  const run = dev('--port', String(port))
  await shows(run, 'up; Ctrl-C stops everything')
  for (const step of ['token', 'create', 'poll', 'replay', 'dropped', 'proof'])
    expect(run.output()).toMatch(new RegExp(`^${step}`, 'm'))
  expect(run.output()).toContain(`http://127.0.0.1:${port}/account`)
  for (const words of [`http://127.0.0.1:${port}/ops `, 'Marta Vidal', 'Jonas Brandt'])
    expect(run.output()).toContain(words)
  const written = JSON.parse(readFileSync(stackFile, 'utf8'))
  expect(written).toMatchObject({
    base_url: `http://127.0.0.1:${port}`,
    provider_url: expect.stringContaining('http://'),
    identity_provider_url: expect.stringContaining('http://'),
  })
  const [seeded] = written.clients
  expect(seeded).toEqual({ client_id: expect.any(String), profile: 'service', private_key_file: expect.any(String) })
  const client = await createServiceClient({
    baseUrl: written.base_url,
    clientId: seeded.client_id,
    privateKeyFile: seeded.private_key_file,
  })
  await client.authorize('operations:read')
  expect((await client.request('GET', '/v1/operations')).body.items).toHaveLength(2)

  run.child.kill('SIGINT')
  expect(await run.exit).toBe(0)
  await expect(fetch(`${written.base_url}/v1/health`)).rejects.toThrow()
  await expect(fetch(`${written.provider_url}/health`)).rejects.toThrow()
  await expect(fetch(`${written.identity_provider_url}/health`)).rejects.toThrow()
  expect(existsSync(stackFile)).toBe(false)
}, 90_000)

test('--no-walk starts without a write; an interrupt while it starts ends it cleanly', async () => {
  const run = dev('--no-walk', '--port', String(await getFreePort()))
  await shows(run, 'migrating')
  run.child.kill('SIGINT')
  await run.exit
  const again = dev('--no-walk', '--port', String(await getFreePort()))
  await shows(again, 'up; Ctrl-C stops everything')
  expect(again.output()).not.toContain('token')
}, 90_000)

test('a port in use is one line and exit code 1', async () => {
  const port = await getFreePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  const run = dev('--port', String(port))
  expect(await run.exit).toBe(1)
  expect(run.output()).toBe(`pnpm dev: port ${port} is in use: stop what uses it, or choose another with --port\n`)
  other.close()
})

test.each([
  [['--port', 'x'], 'pnpm dev: --port x: give 1 to 65535'],
  [['--enable', 'cards.print'], 'pnpm dev: --enable cards.print: give any of transfers.execute, cards.reveal'],
  [['--surprise'], "pnpm dev: Unknown option '--surprise'"],
])('%j is one line and exit code 1', async (args, line) => {
  const run = dev(...args)
  expect(await run.exit).toBe(1)
  expect(run.output()).toContain(line)
  expect(run.output().trim().split('\n')).toHaveLength(1)
})
