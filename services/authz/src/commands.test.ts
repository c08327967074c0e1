/** Runs the commands as operators do, as far as possible without a database: their output and exit codes. */

import { callProgram } from '@financial-agents/runtime/program'
import { describe, expect, test } from 'vitest'
import { service } from './service.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const unreachable = 'postgres://authz:very-secret@127.0.0.1:1/x'

const run = (name: string, args: string[], env: Record<string, string> = {}) =>
  callProgram(service.program, [name, ...args], env)

describe.each(['keys', 'list-clients', 'apply-clients'])('%s', (name) => {
  test('says with --help how it is used', async () => {
    const { code, stdout, stderr } = await run(name, ['--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`${name} `)
    expect(stdout).toContain('DATABASE_URL')
  })

  test('refuses an option that it does not know, in one line', async () => {
    const { code, stdout, stderr } = await run(name, ['--force'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^authz ${name}: .*--force.*\\n$`))
  })
})

test.each([
  ['keys', [], 'say what to do: keys rotate or keys list (--help says more)'],
  ['keys', ['drop'], 'say what to do: keys rotate or keys list (--help says more)'],
  ['keys', ['rotate', '--lead-seconds', '1.5'], '--lead-seconds must be a whole number from 0 to 86400'],
  ['list-clients', ['x'], 'takes no argument but --json (--help says more)'],
  ['apply-clients', [], 'say which file: apply-clients <file>'],
  ['apply-clients', ['--json'], 'unknown option --json; it takes --help, --version'],
])('%s %j is not how it is called, and the one line says how', async (name, args, why) => {
  expect(await run(name, args)).toMatchObject({ code: 2, stdout: '', stderr: `authz ${name}: ${why}\n` })
})

test.each([
  ['keys', ['rotate'], { DATABASE_URL: unreachable }, 'SEALING_KEYS'],
  ['apply-clients', ['none.yaml'], { DATABASE_URL: unreachable, PAIRWISE_KEY: key }, 'none.yaml'],
  ['list-clients', [], { DATABASE_URL: unreachable }, 'authz list-clients: PostgreSQL is out of reach'],
])('%s %j ends with one line that says why, and no secret', async (name, args, env, why) => {
  const { code, stdout, stderr } = await run(name, args, env)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(why)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(stderr).not.toMatch(/very-secret|at .*:\d+/)
})
