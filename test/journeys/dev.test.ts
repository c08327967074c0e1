/** The command `dev` as its user runs it: its output, its files, its cleaning up, and its failures. */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { getFreePort } from '@financial-agents/servers/ports'
import { createServiceClient } from '@financial-agents/testkit/client'
import { afterEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Another stack of this clone may be running. This one then has a folder of its own. */
const folderOf = (run: Run) => join(root, /^ {2}(\.dev\S*)\/stack\.json /m.exec(run.output())?.[1] ?? 'none')

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
  const child = spawn(process.execPath, ['libs/development/dev/src/dev.ts', ...args], {
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

const shows = (run: Run, words: string) => expect.poll(run.output, { timeout: 240_000, interval: 100 }).toContain(words)

test('it goes through one write, writes stack.json, stays up, and Ctrl-C leaves nothing behind', async () => {
  const port = await getFreePort()
  const run = dev('--port', String(port))
  await shows(run, 'Up. Ctrl-C stops everything.')
  for (const step of ['token', 'create', 'poll', 'replay', 'dropped', 'proof'])
    expect(run.output()).toMatch(new RegExp(`^  ${step} `, 'm'))
  expect(run.output()).not.toContain('  pay ')
  expect(run.output()).toContain(`http://127.0.0.1:${port}/account`)
  for (const words of [`http://127.0.0.1:${port}/ops `, 'Marta Vidal', 'Jonas Brandt'])
    expect(run.output()).toContain(words)
  const folder = folderOf(run)
  const written = JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8'))
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

  // A second stack on the same port names the first and does not touch its folder.
  const second = dev('--port', String(port))
  expect(await second.exit).toBe(1)
  expect(second.output()).toMatch(
    new RegExp(
      `^dev: port ${port} is in use by the stack of process ${run.child.pid} \\(folder ${folder}\\); .* --port \\d+\n$`,
    ),
  )
  expect(JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8'))).toEqual(written)
  expect((await client.request('GET', '/v1/operations')).status).toBe(200)

  run.child.kill('SIGINT')
  expect(await run.exit).toBe(0)
  await expect(fetch(`${written.base_url}/v1/health`)).rejects.toThrow()
  await expect(fetch(`${written.provider_url}/health`)).rejects.toThrow()
  await expect(fetch(`${written.identity_provider_url}/health`)).rejects.toThrow()
  expect(existsSync(folder)).toBe(false)
})

test('--no-flow starts without a write; an interrupt while it starts ends it cleanly', async () => {
  const run = dev('--no-flow', '--sources', '--port', String(await getFreePort()))
  await shows(run, 'migrating')
  run.child.kill('SIGINT')
  await run.exit
  const again = dev('--no-flow', '--port', String(await getFreePort()))
  await shows(again, 'Up. Ctrl-C stops everything.')
  expect(again.output()).not.toContain('  token ')
})

test('with --enable transfers.execute the flow ends with a payment, as the README shows it', async () => {
  const run = dev('--enable', 'transfers.execute', '--port', String(await getFreePort()))
  await shows(run, 'Up. Ctrl-C stops everything.')
  const shown = writesIn(readFileSync(join(root, 'README.md'), 'utf8'))
  expect(shown).toContain('paid     succeeded')
  expect(writesIn(run.output())).toBe(shown)
})

/** Returns the printed lines of the first writes, without the parts that differ between runs. */
function writesIn(text: string): string {
  const [block = ''] = /^A client's first writes\n(?: {2}.+\n)+/m.exec(text) ?? []
  return block.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
}

test('a port in use by another program is one line and exit code 1', async () => {
  const port = await getFreePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  const run = dev('--port', String(port))
  expect(await run.exit).toBe(1)
  expect(run.output()).toMatch(
    new RegExp(
      `^dev: port ${port} is in use by another program; stop that program, or choose another port: --port \\d+\n$`,
    ),
  )
  other.close()
})

test.each([
  [['--port', 'x'], 'dev: --port x: give 1 to 65535'],
  [['--enable', 'cards.print'], 'dev: --enable cards.print: give any of transfers.execute, cards.reveal'],
  [
    ['--surprise'],
    'dev: unknown option --surprise; it takes --port, --no-flow, --sources, --enable, --help, --version',
  ],
  [['up'], 'dev: unknown argument up; it takes --port, --no-flow, --sources, --enable, --help, --version'],
])('%j is one line and exit code 2', async (args, line) => {
  const run = dev(...args)
  expect(await run.exit).toBe(2)
  expect(run.output()).toBe(`${line}\n`)
})
