/**
 * `pnpm check`: what every commit passes, its steps side by side. The output of a step is shown when the step has ended, in one
 * piece. Ends with 1 where any step failed.
 */

import { join } from 'node:path'
import { type Child, startChild } from './servers/child-process.ts'

const root = join(import.meta.dirname, '../../..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** Each step: its name and its command. */
const steps: [name: string, command: string, args: string[]][] = [
  ['format', bin('biome'), ['check', '.']],
  ['types', bin('tsc'), []],
  ['lint', bin('oxlint'), ['--type-aware']],
  ['generated files', process.execPath, [join(import.meta.dirname, 'generate.ts'), '--check']],
  ['unit tests', bin('vitest'), ['run', '--project', 'unit', '--project', 'unit-alone']],
]

/** Answers whether the step succeeded. */
async function run([name, command, args]: (typeof steps)[number]): Promise<boolean> {
  const begun = performance.now()
  const output: string[] = []
  const child = await startChild(name, command, args, { cwd: root, onLine: (line) => output.push(line) })
  children.push(child)
  const { code } = await child.exited
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
  const text = output.map((line) => `${line}\n`).join('')
  process.stdout.write(code === 0 ? `${name}: good (${seconds} s)\n` : `${text}${name}: failed (${seconds} s)\n`)
  return code === 0
}

const children: Child[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of children) child.signal(signal)
    process.exitCode = 1
  })
process.stdout.write(`${steps.map(([name]) => name).join(', ')}: side by side\n`)
const results = await Promise.all(steps.map(run))
if (results.includes(false)) process.exitCode = 1
