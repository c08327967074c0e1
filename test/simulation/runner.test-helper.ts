/** Runs seeds in one process per core. Each process takes its share, and the first violation ends all of them. */

import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type FoundBreach = { seed: number; invariant: string; message: string; seeds: number }
type Done = { seeds: number; events: number; operations: number; kinds: string[]; seconds: number }
type Line = FoundBreach | Done | { progress: number }

const command = join(import.meta.dirname, 'run.ts')
export const cores = availableParallelism()

/** Runs one process; returns its output lines and its exit code. */
export function runProcess(
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): { child: ChildProcess; ended: Promise<{ lines: string[]; code: number | null }> } {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const errors: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    onLine(line)
  })
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  const ended = new Promise<{ lines: string[]; code: number | null }>((resolve) => {
    child.on('close', (code) => resolve({ lines: [...lines, ...errors], code }))
  })
  return { child, ended }
}

/** Runs seeds `first..count`, shared among all cores; returns the first violation found, if any. */
export async function runSeeds(
  count: number,
  options: {
    /** 0 if absent. */
    first?: number
    mutation?: string
    /** Seeds that violate another invariant first are passed over. */
    only?: readonly string[]
    shares?: number
    onProgress?: (seeds: number) => void
  } = {},
): Promise<{ found: FoundBreach | null; done: Done; broken: string | null }> {
  const { first = 0, shares = cores } = options
  const done: Done = { seeds: 0, events: 0, operations: 0, kinds: [], seconds: 0 }
  const progress = new Map<number, number>()
  let found: FoundBreach | null = null
  let broken: string | null = null
  const running = Array.from({ length: shares }, (_, share) => {
    const mutation = options.mutation === undefined ? [] : ['--mutation', options.mutation]
    const only = options.only === undefined ? [] : ['--only', options.only.join(',')]
    const args = ['--seeds', `${first}..${count}`, '--share', `${share}/${shares}`, '--report', ...mutation, ...only]
    return runProcess(args, (text) => {
      const line = JSON.parse(text) as Line
      if ('progress' in line) {
        progress.set(share, line.progress)
        options.onProgress?.([...progress.values()].reduce((sum, seeds) => sum + seeds, 0))
      } else if ('invariant' in line) {
        if (!found || line.seed < found.seed) found = line
        for (const { child } of running) child.kill()
      } else {
        done.seeds += line.seeds
        done.events += line.events
        done.operations += line.operations
        done.kinds = [...new Set([...done.kinds, ...line.kinds])]
        done.seconds = Math.max(done.seconds, line.seconds)
      }
    })
  })
  for (const { ended } of running) {
    const { code, lines } = await ended
    if (code !== 0 && !found) broken ??= lines.slice(-12).join('\n')
  }
  return { found, done, broken }
}

/** Describes a violation and the command that replays it. */
export function describeFound({ seed, invariant, message }: FoundBreach, mutation?: string): string {
  const switched = mutation === undefined ? '' : ` --mutation '${mutation}'`
  return `seed ${seed} violates ${invariant}: ${message}\nreplay: node test/simulation/run.ts --seed ${seed} --trace${switched}`
}
