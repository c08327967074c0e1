/**
 * The command `check`: every commit must pass it. Its steps run side by side. Each prints its output in one piece when
 * it ends.
 */

import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { startChild } from '@financial-agents/servers/child-process'
import { compileCache } from '@financial-agents/testkit/compile-cache'

const root = `${import.meta.dirname}/../../..`
const generate = `${import.meta.dirname}/generate.ts`

const steps = [
  { name: 'format', program: 'biome', args: ['check', '.'] },
  {
    name: 'types',
    program: 'tsc',
    args: ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/check.tsbuildinfo'],
  },
  { name: 'types of the browser', program: 'tsc', args: ['-p', 'libs/docs/try'] },
  { name: 'lint', program: 'oxlint', args: ['--type-aware'] },
  { name: 'generated documents', program: process.execPath, args: [generate, '--check'] },
  { name: 'unit tests', program: 'vitest', args: ['run', '--project', 'unit', '--project', 'unit-alone'] },
]

/**
 * Runs a step to its end; returns true if it succeeded. A signal to this process also ends the step, through
 * `startChild`.
 */
async function runStep({ name, program, args }: (typeof steps)[number]): Promise<boolean> {
  const begun = performance.now()
  const output: string[] = []
  const child = await startChild(name, program, args, {
    cwd: root,
    env: { ...process.env, ...compileCache },
    onLine: (line) => output.push(`${line}\n`),
  })
  const { code } = await child.exited
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
  process.stdout.write(
    code === 0 ? `${name}: passed (${seconds} s)\n` : `${output.join('')}${name}: failed (${seconds} s)\n`,
  )
  return code === 0
}

const command = defineCommand({
  summary: `${steps.map(({ name }) => name).join(', ')}: what every commit passes`,
  usage: [['check', 'runs all steps at once, and shows the output of those that fail']],
  run: async () => {
    process.stdout.write(`check: ${steps.map(({ name }) => name).join(', ')}\n`)
    const passed = await Promise.all(steps.map(runStep))
    const failed = steps.filter((_, index) => !passed[index]).map(({ name }) => name)
    if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`)
    return undefined
  },
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
runCommand('check', command)
