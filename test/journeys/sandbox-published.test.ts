/**
 * A client's own CI: the sandbox and the client as they are published, installed by npm into an empty folder. The eight lines of the client's
 * README pay there without a person, under vitest, and the provider's ledger decides. Nothing is left behind.
 */

import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderOf, pack, packClient, readmeProgram } from './client/packed.ts'
import { expectPublishable } from './client/publishable.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

let project: string
let tarballs: { sandbox: string; client: string; cli: string }
/** The folder in which the sandbox makes its temporary files. */
let temporary: string

/** The environment of a user with this Node, whose files are all in the project. */
const environment = () => ({
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  HOME: project,
  XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(process.env['HOME'] ?? '', '.cache'),
  TMPDIR: temporary,
})

beforeAll(async () => {
  const sandbox = await pack(join(root, 'libs/development/sandbox'))
  tarballs = { sandbox, client: await packClient(), cli: await pack(join(root, 'libs/clients/cli')) }
  project = await mkdtemp(join(tmpdir(), 'financial-agents-ci-'))
  temporary = join(project, 'tmp')
  await mkdir(temporary)
  // PostgreSQL does not run as root, so another user has to reach its folder.
  await chmod(project, 0o755)
  await chmod(temporary, 0o777)
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...quiet, ...Object.values(tarballs), 'vitest@5.1.0'], { cwd: project })
})
afterAll(async () => {
  const folders = [project, ...Object.values(tarballs).map(folderOf)]
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

test('the tarball has what its manifest promises, and nothing else', async () => {
  const files = await expectPublishable(tarballs.sandbox, join(project, 'node_modules/@financial-agents/sandbox'))
  expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/LICENSES.txt']))
})

test('eight lines pay under vitest without a person, once, and later than a day', async () => {
  await writeFile(join(project, 'program.mjs'), await readmeProgram())
  await writeFile(join(project, 'payment.test.js'), suite)
  const { stdout } = await run('npx', ['vitest', 'run', '--root', '.'], { cwd: project, env: environment() }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${stdout}\n${stderr}`)
    },
  )
  expect(stdout).toMatch(/Tests .*6 passed/)
  expect((await readdir(temporary)).filter((name) => name.startsWith('financial-agents'))).toEqual([])
})

test('the command explains itself, and refuses what it does not know in one line', async () => {
  const command = (...args: string[]) =>
    run(join(project, 'node_modules/.bin/financial-agents-sandbox'), args, { env: environment() }).catch(
      (error: object) => error,
    )
  expect(await command('--help')).toMatchObject({ stdout: expect.stringContaining('npx @financial-agents/sandbox') })
  expect(await command('--enable', 'cards.print')).toMatchObject({
    code: 2,
    stderr: 'sandbox: --enable cards.print: give any of cards.reveal, transfers.execute\n',
  })
})

const suite = `
import { execFileSync } from 'node:child_process'
import { startSandbox } from '@financial-agents/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'

let sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ enable: ['transfers.execute'] })
}, 600_000)
afterAll(() => sandbox.stop(), 600_000)

const pay = () =>
  execFileSync(process.execPath, ['program.mjs'], { env: { ...process.env, API: sandbox.baseUrl }, encoding: 'utf8' })
    .trim()
    .split('\\n')
    .at(-1)
const transfers = async () => (await sandbox.ledger()).filter(({ kind }) => kind === 'transfer')
const long = { timeout: 600_000 }

test('the payment is made once, although its answer is lost and the program runs twice', long, async () => {
  await sandbox.trigger('accept_drop_reply', { kind: 'transfer' })
  const paid = pay()
  expect(paid).toMatch(/^succeeded /)
  expect(pay()).toBe(paid)
  expect(await transfers()).toMatchObject([
    { client_reference: paid.split(' ')[1], outcome: 'executed_reply_dropped' },
  ])
})

test('a day later the tokens are renewed, and the payment is still the same', long, async () => {
  const before = Date.now()
  expect((await sandbox.advanceClock(86_400_000)).getTime() - before).toBeGreaterThan(86_000_000)
  expect(pay()).toMatch(/^succeeded /)
  expect(await transfers()).toHaveLength(1)
})

test('one command registers a client, signs in and pays; the clock moves by another', long, async () => {
  const env = { ...process.env, FINANCIAL_AGENTS_KEYCHAIN: 'off', FINANCIAL_AGENTS_PROVIDER_URL: sandbox.providerUrl }
  const run = (...args) => JSON.parse(execFileSync('npx', ['financial-agents', ...args, '--json'], { env, encoding: 'utf8' }))
  expect(run('init')).toMatchObject({ program: 'pay.mjs', outcome: expect.stringMatching(/^succeeded /) })
  expect(await transfers()).toHaveLength(2)
  const { now } = run('clock', 'advance', '1d')
  expect(Date.parse(now) - Date.now()).toBeGreaterThan(170_000_000)
})

test('a fault or a kind that does not exist is refused with those that do', async () => {
  await expect(sandbox.trigger('explode')).rejects.toThrow('there is no fault "explode"; there are refuse, ')
  await expect(sandbox.trigger('refuse', { kind: 'withdrawal' })).rejects.toThrow('there is no kind "withdrawal"')
})

test('a client of their own is registered, and a wrong one is refused with the reason', long, async () => {
  const registration = { client_id: 'mine', name: 'Mine', profile: 'device', scopes: ['operations:read'] }
  await sandbox.registerClient(registration)
  const wrong = sandbox.registerClient({ ...registration, client_id: 'other', scopes: ['all'] })
  await expect(wrong).rejects.toThrow('client "other": scopes.0: is not a scope')
})

test('a reset brings everything back to the start', long, async () => {
  await sandbox.reset()
  expect(await sandbox.ledger()).toEqual([])
  const answer = await fetch(sandbox.baseUrl + '/v1/metadata')
  expect(answer.status).toBe(200)
  expect(Math.abs(Date.parse(answer.headers.get('date')) - Date.now())).toBeLessThan(3_600_000)
})
`
