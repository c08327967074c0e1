/** Programs as a caller runs them: most calls here, and one of each end as a process. */

import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { abacus, loads } from './program.test-helper.ts'
import { callProgram, type Ended } from './program.ts'

const call = (...args: string[]): Promise<Ended> => callProgram(abacus, args, { TOKEN: 'very-secret' })

test.each([
  [['count', '2', '--down'], 0],
  [['count', '13'], 1],
  [['count', '--force'], 2],
])('a process ends as the same call here: %j', async (args, code) => {
  const main = join(import.meta.dirname, 'program.test-helper.ts')
  const ended = await promisify(execFile)(process.execPath, [main, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )
  expect(ended).toEqual(await call(...args))
  expect(ended.code).toBe(code)
})

test.each([
  ['test', 'SIGKILL'],
  ['production', null],
])('a command in %s with a failpoint on its way ends by %s', (environment, signal) => {
  const main = join(import.meta.dirname, 'program.test-helper.ts')
  const env = { ...process.env, ENVIRONMENT: environment, FAILPOINT: 'count.before_end' }
  expect(spawnSync(process.execPath, [main, 'count', '2'], { env })).toMatchObject({ signal })
})

test('serve runs if no command is given', async () => {
  expect(await call()).toEqual({ code: 0, stdout: 'served\n', stderr: '' })
  expect(await call('serve')).toEqual({ code: 0, stdout: 'served\n', stderr: '' })
})

test('a command is given its arguments and its options, and no other command is loaded', async () => {
  const before = loads.other
  expect(await call('count', '2', '--down')).toEqual({ code: 0, stdout: '2\n1\n', stderr: '' })
  expect(loads.other).toBe(before)
})

test('--help names the commands and the variables of the service, with what is required first and no value', async () => {
  const { code, stdout, stderr } = await call('--help')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['Counts.'],
    [''],
    ['Usage:'],
    ['abacus [command]', 'without a command: serve'],
    ['abacus <command> --help', 'how a command is called, and which variables it takes'],
    ['abacus --version'],
    [''],
    ['Commands:'],
    ['serve', 'run it'],
    ['count', 'count to a number'],
    ['other', 'other'],
    [''],
    ['Variables of serve:'],
    ['TOKEN', 'required'],
    ['PORT', 'default 80'],
    ['LEVEL', 'default low', 'low | high'],
    ['OTHER', 'optional'],
    [''],
  ])
})

test('--help of a command shows the ways to call it', async () => {
  const { code, stdout } = await call('count', '--help')
  expect(code).toBe(0)
  expect(stdout).toBe('abacus count: count to a number\n\nUsage:\n  abacus count <n> [--down]  one line for each\n')
})

test.each([[['--version']], [['count', '--version']]])('%j prints the version alone', async (args) => {
  expect(await call(...args)).toEqual({ code: 0, stdout: 'abacus development\n', stderr: '' })
})

describe('one line that says what to do, and exit code 2, for', () => {
  test.each([
    ['an unknown command', ['add'], 'abacus: unknown command add; it takes serve, count, other'],
    ['a name of every object', ['constructor'], 'abacus: unknown command constructor; it takes serve, count, other'],
    ['an unknown option', ['--force'], 'abacus: unknown option --force; it takes --help, --version'],
    [
      'one of a command',
      ['count', '--force'],
      'abacus count: unknown option --force; it takes --down, --help, --version',
    ],
    ['an argument of what takes none', ['serve', 'x'], 'abacus: unknown argument x; it takes --help, --version'],
    ['a missing argument', ['count'], 'abacus count: say how far: count <n>'],
  ])('%s', async (_what, args, line) => {
    expect(await call(...args)).toEqual({ code: 2, stdout: '', stderr: `${line}\n` })
  })
})

test('a command that fails says why in one line, with exit code 1', async () => {
  expect(await call('count', '13')).toEqual({ code: 1, stdout: '', stderr: 'abacus count: unlucky; number\n' })
})
