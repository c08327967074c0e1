/** The commands as operators run them, as far as they go without a database: what they say and how they end. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { tableOf } from './command-line.ts'

const execute = promisify(execFile)
const key = Buffer.alloc(32, 7).toString('base64')
const unreachable = 'postgres://authz:very-secret@127.0.0.1:1/x'

type Ended = { code: number; stdout: string; stderr: string }

async function run(name: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const file = join(import.meta.dirname, `${name}.ts`)
  try {
    const { stdout, stderr } = await execute(process.execPath, [file, ...args], { env: { PATH: '/usr/bin', ...env } })
    return { code: 0, stdout, stderr }
  } catch (error) {
    return error as Ended
  }
}

describe.each(['keys', 'list-clients', 'apply-clients'])('%s', (name) => {
  test('says with --help how it is used', async () => {
    const { code, stdout, stderr } = await run(name, ['--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`${name} `)
    expect(stdout).toContain('DATABASE_URL')
  })

  test('refuses an option that it does not know, in one line', async () => {
    const { code, stdout, stderr } = await run(name, ['--force'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(new RegExp(`^${name}: .*--force.*\\n$`))
  })
})

test.each([
  ['keys', [], {}, 'keys: say what to do: keys rotate or keys list (--help says more)'],
  ['keys', ['drop'], {}, 'keys: say what to do: keys rotate or keys list (--help says more)'],
  ['keys', ['rotate', '--lead-seconds', '1.5'], {}, 'keys: --lead-seconds must be a whole number from 0 to 86400'],
  ['keys', ['rotate'], { DATABASE_URL: unreachable }, 'SEALING_KEYS'],
  ['list-clients', ['x'], {}, 'list-clients: takes no argument but --json (--help says more)'],
  ['apply-clients', [], {}, 'apply-clients: say which file: apply-clients <file>'],
  ['apply-clients', ['--json'], {}, 'apply-clients: does not take --json (--help says more)'],
  ['apply-clients', ['none.yaml'], { DATABASE_URL: unreachable, PAIRWISE_KEY: key }, 'none.yaml'],
  ['list-clients', [], { DATABASE_URL: unreachable }, 'list-clients: PostgreSQL is out of reach'],
])('%s %j ends with one line that says why, and no secret', async (name, args, env, why) => {
  const { code, stdout, stderr } = await run(name, args, env)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(why)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(stderr).not.toMatch(/very-secret|at .*:\d+/)
})

test('a table has its columns as wide as they need to be', () => {
  const rows = [
    ['a-long-one', '1'],
    ['b', '22'],
  ]
  expect(tableOf(['name', 'n'], rows)).toEqual(['name        n', 'a-long-one  1', 'b           22'])
})
