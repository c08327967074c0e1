/** The end of a service. Each test runs one as a process, and reads what the process prints. */

import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'

const main = join(import.meta.dirname, 'process.test-helper.ts')

type Service = {
  child: ChildProcessByStdio<null, Readable, null>
  /** The words that the service has printed so far. */
  said: string[]
  /** Resolves when the service has printed these words. */
  says: (words: string) => Promise<void>
  ended: Promise<unknown>
}

const environment = {
  PATH: '/usr/bin',
  ENVIRONMENT: 'test',
  HEALTH_PORT: '0',
  HEALTH_HOST: '127.0.0.1',
  START: 'at once',
  STOP: 'at once',
}

function run(variables: Record<string, string> = {}): Service {
  const child = spawn(process.execPath, [main], {
    env: { ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() as string
    said.push(...lines.map((line) => JSON.parse(line).msg))
  })
  const says = async (words: string) => {
    while (!said.includes(words)) await once(child.stdout, 'data')
  }
  return { child, said, says, ended: once(child, 'close').then(([code]) => code) }
}

test('a service that gets a signal finishes its work, and ends with 0', async () => {
  const { child, says, said, ended } = run()
  await says('ready')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(said).toEqual(['starting', 'answering', 'ready', 'stopping', 'finishing', 'stopped'])
})

test('a service that gets a signal during its start is never ready, stops its started parts, and ends with 0', async () => {
  const { child, says, said, ended } = run({ START: 'signalled' })
  await says('starting')
  child.kill('SIGTERM')
  await says('stopping')
  child.kill('SIGUSR2')
  expect(await ended).toBe(0)
  expect(said).toEqual(['starting', 'stopping', 'answering', 'finishing', 'stopped'])
})

test('a service that gets a signal while its start hangs ends with 0 too', async () => {
  const { child, says, said, ended } = run({ START: 'never' })
  await says('starting')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(said).toEqual(['starting', 'stopping', 'stopped'])
})

test('a second signal ends a service at once, with 1', async () => {
  const { child, says, ended } = run({ STOP: 'never' })
  await says('ready')
  child.kill('SIGTERM')
  await says('finishing')
  child.kill('SIGTERM')
  expect(await ended).toBe(1)
})

test('a service that cannot start reports the reason, and ends with 1', async () => {
  const { said, ended } = run({ START: 'fails' })
  expect(await ended).toBe(1)
  expect(said).toEqual(['starting', 'could not run'])
})

test.each(['FAILPOINT', 'MOVABLE_CLOCK', 'NATS_REQUEST_GRACE_MS'])('%s is refused in production', (name) => {
  const env = { ...environment, ENVIRONMENT: 'production', [name]: '1' }
  const { status, stderr } = spawnSync(process.execPath, [main], { env, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^configuration: FAILPOINT, MOVABLE_CLOCK and NATS_REQUEST_GRACE_MS are for development/)
})
