/** A killed run leaves no process behind: no servers of its set-up, no children of its workers, no workers. */

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'interrupted-run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pidsFile = join(folder, 'pids')
const childProcess = join(import.meta.dirname, '../../../servers/src/child-process.ts')
const globalSetup = join(import.meta.dirname, '../../../../platform/postgres/src/testing/global-setup.ts')
const endWithRunner = join(import.meta.dirname, 'end-with-runner.ts')
const vitest = join(import.meta.dirname, '../../../../../node_modules/vitest')

/** Starts a child in each way that tests use, notes all processes of the run, and hangs. */
const hangingTest = `
import { execFileSync, spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
const { test } = await import(${JSON.stringify(join(vitest, 'dist/index.js'))})
const { startChild } = await import(${JSON.stringify(childProcess)})
test('hangs', async () => {
  await startChild('child', 'sleep', ['3600'])
  spawn('sleep', ['3600'])
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\\n')
  const all = rows.map((row) => row.trim().split(/ +/)).map(([pid, ppid, ...args]) => ({ pid, ppid, args: args.join(' ') }))
  const found = [{ pid: String(process.ppid), args: 'run' }]
  for (const { pid } of found) found.push(...all.filter(({ ppid }) => ppid === pid))
  writeFileSync('${pidsFile}.new', JSON.stringify(found))
  renameSync('${pidsFile}.new', '${pidsFile}')
  await new Promise(() => {})
}, 3_600_000)
`

const config = `
export default { test: {
  name: 'unit', root: '${folder}', include: ['*.test.ts'], watch: false,
  globalSetup: ['${globalSetup}'], setupFiles: ['${endWithRunner}'],
} }
`

type Noted = { pid: string; args: string }

/** Returns true if the process runs and is not a zombie. */
function isAlive(pid: string): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).trim().startsWith('Z')
  } catch {
    return false
  }
}

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a run that ends by %s leaves no process behind',
  async (signal) => {
    rmSync(pidsFile, { force: true })
    writeFileSync(join(folder, 'hanging.test.ts'), hangingTest)
    writeFileSync(join(folder, 'vitest.config.mjs'), config)
    const { TEST_POSTGRES_URL: _, VITEST_POOL_ID: __, ...env } = process.env
    const args = [join(vitest, 'vitest.mjs'), 'run', '--config', join(folder, 'vitest.config.mjs'), '--root', folder]
    // Not with `startChild`, which would itself kill the rest of the child's process group.
    const run = spawn(process.execPath, args, { env, detached: true, stdio: 'ignore' })
    onTestFinished(() => void run.kill('SIGKILL'))
    await expect.poll(() => existsSync(pidsFile)).toBe(true)
    const noted = JSON.parse(readFileSync(pidsFile, 'utf8')) as Noted[]
    const words = noted.map(({ args: command }) => command).join('\n')
    for (const started of ['sleep', 'postgres']) expect(words).toContain(started)
    run.kill(signal)
    await expect.poll(() => noted.filter(({ pid }) => isAlive(pid)).map(({ args: command }) => command)).toEqual([])
  },
)
