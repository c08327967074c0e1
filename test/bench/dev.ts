/** The command `dev` until it is ready, with everything in the cache that an earlier start has put there. */

import { join } from 'node:path'
import { startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { say } from './measure.ts'
import type { Figures } from './targets.ts'

const program = join(import.meta.dirname, '../../libs/development/dev/src/dev.ts')

/** Starts `dev` twice; the second start counts. */
export async function benchDev(): Promise<Figures> {
  await start()
  const devReadyS = await start()
  say(`dev, warm: ready in ${devReadyS.toFixed(1)} s\n`)
  return { devReadyS }
}

async function start(): Promise<number> {
  const ready = Promise.withResolvers<number>()
  const child = await startChild(
    'dev',
    process.execPath,
    [program, '--no-flow', '--port', String(await getFreePort())],
    {
      onLine: (line) => {
        const seconds = /^Ready in ([\d.]+) s$/.exec(line)?.[1]
        if (seconds !== undefined) ready.resolve(Number(seconds))
      },
    },
  )
  const ended = child.exited.then(() => Promise.reject(new Error(`dev ended: ${child.lastLines(3).join(' | ')}`)))
  try {
    return await Promise.race([ready.promise, ended])
  } finally {
    ended.catch(() => {})
    await child.stop({ signal: 'SIGINT', graceMs: 60_000 })
  }
}
