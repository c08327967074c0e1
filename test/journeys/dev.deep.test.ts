/** The command `dev` with other options, and after a start that was interrupted. */

import { getFreePort } from '@financial-agents/servers/ports'
import { expect, onTestFinished, test } from 'vitest'
import { type Run, runDev } from './dev/run-dev.ts'

/** Starts it and waits until it is up. */
async function up(...args: string[]): Promise<Run> {
  const run = runDev(...args, '--port', String(await getFreePort()))
  onTestFinished(async () => {
    run.child.kill('SIGTERM')
    await run.exit
  })
  await run.shows('Up. Ctrl-C stops everything.')
  return run
}

test('without --enable it goes through the first writes, and pays nothing', async () => {
  const run = await up()
  for (const step of ['token', 'create', 'poll', 'replay', 'dropped', 'proof'])
    expect(run.output()).toMatch(new RegExp(`^  ${step} `, 'm'))
  expect(run.output()).not.toContain('  pay ')
})

test('--no-flow starts without a write, also after a start from sources that was interrupted', async () => {
  const run = runDev('--no-flow', '--sources', '--port', String(await getFreePort()))
  await run.shows('migrating')
  run.child.kill('SIGINT')
  await run.exit
  const again = await up('--no-flow')
  expect(again.output()).not.toContain('  token ')
})
