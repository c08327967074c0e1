/**
 * The first steps of a developer: the lines that `dev` prints, the lines on the front page of the gateway, and every
 * recipe of the client. Each printed line is run unchanged. An owner opens the pages that the recipes show.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { parse } from 'node-html-parser'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readerOf, type Walker, walkerOf } from './client/owner-flow.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const path = `${dirname(process.execPath)}:${process.env['PATH']}`

let dev: ChildProcess
let devSaid = ''
let baseUrl: string
let owner: Walker
/** The folder of the command line's files. The tests do not touch the user's own files. */
const home = mkdtempSync(join(tmpdir(), 'financial-agents-home-'))
const running: Child[] = []

beforeAll(async () => {
  const port = await getFreePort()
  baseUrl = `http://127.0.0.1:${port}`
  const options = ['--no-flow', '--enable', 'transfers.execute', '--port', `${port}`]
  dev = spawn(process.execPath, ['libs/development/dev/src/dev.ts', ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk: Buffer) => (devSaid += chunk.toString()))
  await vi.waitFor(() => expect(devSaid).toContain('Up. Ctrl-C stops everything.'), { timeout: 240_000, interval: 100 })
  const [folder] = /\.dev\S*(?=\/stack\.json)/.exec(devSaid) ?? ['']
  const { provider_url: providerUrl } = JSON.parse(readFileSync(join(root, folder, 'stack.json'), 'utf8'))
  owner = walkerOf({ baseUrl, providerUrl }, 'ines')
})
afterAll(async () => {
  await Promise.all(running.map((child) => child.stop()))
  rmSync(home, { recursive: true })
  const ended = new Promise((resolve) => dev.once('exit', resolve))
  dev.kill('SIGTERM')
  await ended
})

/** The program behind a printed line: the package manager would install before it runs the script. */
function commandOf(line: string): string {
  const [, name = '', args = ''] = /^npx -y pnpm@12 (\S+)(.*)$/.exec(line) ?? []
  if (name === '') return line
  const script = scripts[name]
  if (script === undefined) throw new Error(`package.json has no script for: ${line}`)
  return script + args
}

/** Runs a printed line in the root of the repository, to its end. The owner opens each page that it shows, once. */
async function paste(line: string): Promise<string> {
  const opened = new Set<string>()
  const said: string[] = []
  const read = readerOf(/(?:: open |^ {2})(http\S+?)(?:,|$)/, (url, code) => {
    if (opened.has(`${url} ${code}`)) return
    opened.add(`${url} ${code}`)
    void owner.open(url, code)
  })
  const child = await startChild(line, 'sh', ['-c', `exec sh -c '${commandOf(line)}'`], {
    cwd: root,
    env: { ...process.env, PATH: path, FINANCIAL_AGENTS_HOME: home, FINANCIAL_AGENTS_KEYCHAIN: 'off' },
    onLine: (text) => {
      said.push(text)
      read(text)
    },
  })
  running.push(child)
  const { code } = await child.exited
  expect(code, `${line}\n${said.join('\n')}`).toBe(0)
  return said.join('\n')
}

async function frontPage() {
  const page = await fetch(baseUrl, { headers: { accept: 'text/html' } })
  return parse(await page.text(), { blockTextElements: { pre: false } })
}
const api = () => `--api ${baseUrl}`
const recipe = (name: string) => paste(`npx -y pnpm@12 recipe ${name} ${api()}`)

test('dev names the page to begin at, a client id for any agent, and the first recipe', async () => {
  expect(devSaid).toContain(`${baseUrl}/ `)
  expect(devSaid).toMatch(/^ {2}my-agent +a client id with every scope/m)
  const [, line = ''] = /^ {2}(npx -y pnpm@12 recipe.*?) {2}/m.exec(devSaid) ?? []
  expect(await paste(line)).toMatch(/^allowed until 20.* identity:read/m)
})

test('the line of dev for the command line signs it in', async () => {
  const [, line = ''] = /^ {2}(npx -y pnpm@12 cli login .*)$/m.exec(devSaid) ?? []
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
  pay: [/^payee Rui Prado: active$/m, /^payment \S+: succeeded$/m],
  'receive-webhooks': [/^operation\.succeeded: the operation is succeeded$/m],
  wait: [/^succeeded: the payee is /m],
}

test('every recipe is tested here', async () => {
  const files = readdirSync(join(root, 'libs/clients/typescript/recipes')).filter((file) => file !== 'agent.ts')
  expect(files.map((file) => file.replace(/\.\w+$/, '')).toSorted()).toEqual(Object.keys(shown).toSorted())
  expect((await paste(`npx -y pnpm@12 recipe ${api()}`)).split('\n')).toEqual(Object.keys(shown).toSorted())
})

test.for(Object.entries(shown))('the recipe %s does what it says', async ([name, patterns], { skip }) => {
  skip(name === 'curl' && !hasCurl, 'there is no curl')
  const said = await recipe(name)
  for (const pattern of patterns) expect(said).toMatch(pattern)
})

test('a recipe that is run again does nothing twice', async () => {
  const payment = /^payment .*$/m
  const [first] = payment.exec(await recipe('pay')) ?? []
  const [second] = payment.exec(await recipe('pay')) ?? []
  expect(second).toBe(first)
})
