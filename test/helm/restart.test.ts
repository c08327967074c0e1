/** The entry point of development images: the bundles that it follows, the arguments that it passes on, and its end. */

import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from '@financial-agents/servers/child-process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../tilt/restart.sh')
const patiently = { timeout: 120_000, interval: 50 }

let folder: string
let child: Child | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'financial-agents-restart-'))
  await mkdir(join(folder, 'app'))
  await mkdir(join(folder, 'live'))
  await writeFile(join(folder, 'app/telemetry.cjs'), '')
  await write('app', serving('first'))
})
afterEach(async () => {
  await child?.kill()
  await rm(folder, { recursive: true })
})

/** Replaces the file in one step, so that it is never half-written. */
async function write(where: 'app' | 'live', text: string): Promise<void> {
  await writeFile(join(folder, 'new'), text)
  await rename(join(folder, 'new'), join(folder, where, 'main.cjs'))
}

/** A program that prints its arguments, and exits cleanly on SIGTERM. */
const serving = (name: string) =>
  `process.on('SIGTERM', () => { console.log('${name} stops'); process.exit(0) })
   console.log('${name} ' + process.argv.slice(2).join(' '))
   setInterval(() => {}, 1000)`

async function start(args: string[] = ['serve'], live = join(folder, 'live')): Promise<Child> {
  const env = { PATH: process.env['PATH'], APP: join(folder, 'app'), LIVE: live }
  child = await startChild('restart.sh', 'sh', [script, ...args], { env })
  return child
}
const said = () => child?.lastLines(20) ?? []
const hears = (line: string) => expect.poll(said, patiently).toContain(line)

describe.skipIf(process.platform !== 'linux')('restart.sh', () => {
  test('runs the bundle of the image, and the one that replaces it, each stopped in order', async () => {
    const running = await start()
    await hears('first serve')
    await write('live', serving('second'))
    await hears('second serve')
    expect(said()).toContain('first stops')
    running.signal('SIGTERM')
    expect(await running.exited).toEqual({ code: 0, signal: null })
    expect(said()).toContain('second stops')
  })

  test('what was replaced survives a restart of the container', async () => {
    const first = await start()
    await hears('first serve')
    await write('live', serving('replaced'))
    await hears('replaced serve')
    await first.stop()
    await start()
    await hears('replaced serve')
    expect(said()).not.toContain('first serve')
  })

  test('a process that fails is seen to fail', async () => {
    await write('app', 'process.exit(7)')
    const { exited } = await start()
    expect(await exited).toEqual({ code: 7, signal: null })
  })

  test('another command, and an image without the folder, run the bundle of the image and nothing else', async () => {
    await write('app', 'console.log("once " + process.argv.slice(2).join(" "))')
    expect(await (await start(['migrate', '--help'])).exited).toEqual({ code: 0, signal: null })
    expect(said()).toEqual(['once migrate --help'])
    expect(await (await start(['serve'], join(folder, 'nowhere'))).exited).toEqual({ code: 0, signal: null })
    expect(said()).toEqual(['once serve'])
  })
})
