/**
 * The command `dev` as its user runs it: its output, its files, its cleaning up, and its failures. Then the first steps of a developer on
 * its stack: the lines that it prints, the lines on the front page of the gateway, and every recipe of the client. A printed line is run
 * unchanged. An owner opens the pages that the programs show.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { createServiceClient } from '@financial-agents/testkit/client'
import { firstClientId } from '@financial-agents/testkit/seed-clients'
import { parse } from 'node-html-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readerOf, type Walker, walkerOf } from './client/owner-flow.ts'
import { type Run, runDev } from './dev/run-dev.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const path = `${dirname(process.execPath)}:${process.env['PATH']}`
const recipes = join(root, 'libs/clients/typescript/recipes')

let port: number
let dev: Run
let owner: Walker
type Written = {
  base_url: string
  provider_url: string
  identity_provider_url: string
  clients: Record<string, string>[]
}
let written: Written
/** The folder of the command line's files. The tests do not touch the user's own files. */
const home = mkdtempSync(join(tmpdir(), 'financial-agents-home-'))
const running: Child[] = []

beforeAll(async () => {
  port = await getFreePort()
  dev = runDev('--enable', 'transfers.execute', '--port', `${port}`)
  await dev.shows('Up. Ctrl-C stops everything.')
  written = JSON.parse(readFileSync(join(dev.folder(), 'stack.json'), 'utf8')) as Written
  owner = walkerOf({ baseUrl: written.base_url, providerUrl: written.provider_url }, 'ines')
})
afterAll(async () => {
  await Promise.all(running.map((child) => child.stop()))
  rmSync(home, { recursive: true })
  dev.child.kill('SIGTERM')
  await dev.exit
})

/** The program behind a printed line: the package manager would install before it runs the script. */
function commandOf(line: string): string {
  const [, name = '', args = ''] = /^npx -y pnpm@12 (\S+)(.*)$/.exec(line) ?? []
  if (name === '') return line
  const script = scripts[name]
  if (script === undefined) throw new Error(`package.json has no script for: ${line}`)
  return script + args
}

/** Runs a program to its end. The owner opens each page that it shows, once. */
async function run(
  name: string,
  program: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const opened = new Set<string>()
  const said: string[] = []
  const read = readerOf(/(?:: open |^ {2})(http\S+?)(?:,|$)/, (url, code) => {
    if (opened.has(`${url} ${code}`)) return
    opened.add(`${url} ${code}`)
    void owner.open(url, code)
  })
  const child = await startChild(name, program, args, {
    ...options,
    onLine: (text) => {
      said.push(text)
      read(text)
    },
  })
  running.push(child)
  const { code } = await child.exited
  expect(code, `${name}\n${said.join('\n')}`).toBe(0)
  return said.join('\n')
}

/** Runs a printed line in the root of the repository. */
const paste = (line: string) =>
  run(line, 'sh', ['-c', `exec sh -c '${commandOf(line)}'`], {
    cwd: root,
    env: { ...process.env, PATH: path, FINANCIAL_AGENTS_HOME: home, FINANCIAL_AGENTS_KEYCHAIN: 'off' },
  })

async function frontPage() {
  const page = await fetch(written.base_url, { headers: { accept: 'text/html' } })
  return parse(await page.text(), { blockTextElements: { pre: false } })
}
/** Runs a recipe, as the command `recipe` does. */
function recipe(name: string): Promise<string> {
  const shell = name === 'curl'
  const [program, args] = shell
    ? ['sh', ['curl.sh']]
    : [process.execPath, ['--conditions=@financial-agents/source', `${name}.ts`]]
  const { base_url: API, provider_url: FAKE_PROVIDER } = written
  return run(name, program, [...args.slice(0, -1), join(recipes, args.at(-1) as string)], {
    cwd: dev.folder(),
    env: { ...process.env, API, FAKE_PROVIDER, CLIENT_ID: firstClientId },
  })
}

test('it goes through the first writes as the README shows them, and writes stack.json', async () => {
  const shown = writesIn(readFileSync(join(root, 'README.md'), 'utf8'))
  expect(shown).toContain('paid     succeeded')
  expect(writesIn(dev.output())).toBe(shown)
  expect(dev.output()).toContain(`http://127.0.0.1:${port}/account`)
  for (const words of [`http://127.0.0.1:${port}/ops `, 'Marta Vidal', 'Jonas Brandt'])
    expect(dev.output()).toContain(words)
  expect(written).toMatchObject({
    base_url: `http://127.0.0.1:${port}`,
    provider_url: expect.stringContaining('http://'),
    identity_provider_url: expect.stringContaining('http://'),
  })
  const [seeded] = written.clients
  expect(seeded).toEqual({ client_id: expect.any(String), profile: 'service', private_key_file: expect.any(String) })
})

/** Returns the printed lines of the first writes, without the parts that differ between runs. */
function writesIn(text: string): string {
  const [block = ''] = /^A client's first writes\n(?: {2}.+\n)+/m.exec(text) ?? []
  return block.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
}

test('dev names the page to begin at, a client id for any agent, and the first recipe', async () => {
  expect(dev.output()).toContain(`${written.base_url}/ `)
  expect(dev.output()).toMatch(/^ {2}my-agent +a client id with every scope/m)
  const [, line = ''] = /^ {2}(npx -y pnpm@12 recipe.*?) {2}/m.exec(dev.output()) ?? []
  expect(await paste(line)).toMatch(/^allowed until 20.* identity:read/m)
})

test('the line of dev for the command line signs it in', async () => {
  const [, line = ''] = /^ {2}(npx -y pnpm@12 cli login .*)$/m.exec(dev.output()) ?? []
  expect(await paste(line)).toMatch(/^Signed in +my-agent at http/m)
  expect(await paste('npx -y pnpm@12 cli accounts')).toMatch(/^ID +NAME/m)
  expect(await paste('npx -y pnpm@12 cli test-users')).toMatch(/^per_ines +Inês Carvalho/m)
})

test('every line of the front page works as it stands', async () => {
  const commands = (await frontPage()).querySelectorAll('main pre').map((element) => element.textContent.trim())
  expect(commands).toHaveLength(6)
  for (const line of commands.filter((command) => !command.startsWith('curl ') || hasCurl)) await paste(line)
})

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
})()

/** The words by which each recipe shows that it did what it is for. */
const shown: Readonly<Record<string, readonly RegExp[]>> = {
  allowance: [/^allowance \S+: active$/m, /^payment \S+: succeeded$/m, /^refused: mandate_cap_exceeded$/m],
  curl: [/"issuer":/, /^HTTP\/1\.1 401/m, /"user_code":/],
  'look-around': [/^allowed until /m, /available$/m, /^\d{4}-\d\d-\d\d (in|out) /m],
  'lost-answer': [/^after the proof: succeeded$/m, /^submitted to the provider: 1 time$/m],
  pay: [/^payee Beatriz Costa: active$/m, /^payment \S+: succeeded$/m],
  'receive-webhooks': [/^operation\.succeeded: the operation is succeeded$/m],
  wait: [/^succeeded: the payee is /m],
}

test('every recipe is tested here', async () => {
  const files = readdirSync(recipes).filter((file) => file !== 'agent.ts')
  expect(files.map((file) => file.replace(/\.\w+$/, '')).toSorted()).toEqual(Object.keys(shown).toSorted())
  expect((await paste(`npx -y pnpm@12 recipe --api ${written.base_url}`)).split('\n')).toEqual(
    Object.keys(shown).toSorted(),
  )
})

test.for(Object.entries(shown))('the recipe %s does what it says', async ([name, patterns], { skip }) => {
  skip(name === 'curl' && !hasCurl, 'there is no curl')
  const said = await recipe(name)
  for (const pattern of patterns) expect(said).toMatch(pattern)
  if (name !== 'pay') return
  const payment = /^payment .*$/m
  expect(payment.exec(await recipe(name))?.[0], 'a recipe that is run again does nothing twice').toBe(
    payment.exec(said)?.[0],
  )
})

test('a port in use by another program is one line and exit code 1', async () => {
  const port = await getFreePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  const run = runDev('--port', String(port))
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
  [['--enable', 'cards.print'], 'dev: --enable cards.print: give any of cards.reveal, transfers.execute'],
  [
    ['--surprise'],
    'dev: unknown option --surprise; it takes --port, --no-flow, --sources, --enable, --owner-consents, --help, --version',
  ],
  [
    ['up'],
    'dev: unknown argument up; it takes --port, --no-flow, --sources, --enable, --owner-consents, --help, --version',
  ],
])('%j is one line and exit code 2', async (args, line) => {
  const run = runDev(...args)
  expect(await run.exit).toBe(2)
  expect(run.output()).toBe(`${line}\n`)
})

test('an interrupt while it starts ends it', async () => {
  const run = runDev('--no-flow', '--sources', '--port', String(await getFreePort()))
  await run.shows('migrating')
  run.child.kill('SIGINT')
  await run.exit
  expect(run.output()).not.toContain('Up. Ctrl-C')
})

test('a second stack on its port names it and leaves it alone; Ctrl-C leaves nothing behind', async () => {
  const [seeded] = written.clients
  const client = await createServiceClient({
    baseUrl: written.base_url,
    clientId: seeded?.['client_id'] ?? '',
    privateKeyFile: seeded?.['private_key_file'] ?? '',
  })
  await client.authorize('operations:read')
  const folder = dev.folder()
  const second = runDev('--port', String(port))
  expect(await second.exit).toBe(1)
  expect(second.output()).toMatch(
    new RegExp(
      `^dev: port ${port} is in use by the stack of process ${dev.child.pid} \\(folder ${folder}\\); .* --port \\d+\n$`,
    ),
  )
  expect(JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8'))).toEqual(written)
  expect((await client.request('GET', '/v1/operations')).status).toBe(200)

  dev.child.kill('SIGINT')
  expect(await dev.exit).toBe(0)
  await expect(fetch(`${written.base_url}/v1/health`)).rejects.toThrow()
  await expect(fetch(`${written.provider_url}/health`)).rejects.toThrow()
  await expect(fetch(`${written.identity_provider_url}/health`)).rejects.toThrow()
  expect(existsSync(folder)).toBe(false)
})
