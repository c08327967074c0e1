/**
 * The command `check`: every commit must pass it. Its steps run side by side. Each prints its output in one piece when
 * it ends. Its unit tests are those that import a changed file: changes since the upstream branch, and uncommitted ones.
 * The command `test` runs all.
 */

import { execFileSync } from 'node:child_process'
import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { startChild } from '@financial-agents/servers/child-process'
import { compileCache } from '@financial-agents/testkit/compile-cache'
import { root } from '@financial-agents/testkit/programs'

const generate = `${import.meta.dirname}/generate.ts`

type Step = { name: string; program: string; args: readonly string[] }

const stepsFor = (tests: readonly string[]): Step[] => [
  { name: 'format', program: 'biome', args: ['check', '.'] },
  {
    name: 'types',
    program: 'tsc',
    args: ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/check.tsbuildinfo'],
  },
  { name: 'types of the browser', program: 'tsc', args: ['-p', 'libs/clients/docs/try'] },
  { name: 'lint', program: 'oxlint', args: ['--type-aware'] },
  { name: 'generated documents', program: process.execPath, args: [generate, '--check'] },
  { name: 'unit tests', program: 'vitest', args: ['run', '--project', 'unit', '--project', 'unit-alone', ...tests] },
]

/**
 * Runs a step to its end; returns true if it succeeded. A signal to this process also ends the step, through
 * `startChild`.
 */
async function runStep({ name, program, args }: Step): Promise<boolean> {
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

/** The options of vitest for the unit tests of what changed. */
function changedOnly(): string[] {
  return ['--changed', upstream() ?? 'HEAD', '--passWithNoTests']
}

/** The last commit of the upstream branch that is in this one; undefined if there is no upstream branch. */
function upstream(): string | undefined {
  try {
    const args = ['merge-base', 'HEAD', '@{upstream}']
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

const names = stepsFor([]).map(({ name }) => name)

export const command = defineCommand({
  summary: `${names.join(', ')}: what every commit passes`,
  usage: [
    ['check', 'runs all steps at once, and shows the output of those that fail; unit tests of what changed'],
    ['check --all', 'runs all unit tests'],
  ],
  options: { all: { type: 'boolean', default: false } },
  run: async ({ values: { all } }) => {
    const steps = stepsFor(all ? [] : changedOnly())
    process.stdout.write(`check: ${names.join(', ')}${all ? '' : ' of what changed'}\n`)
    const passed = await Promise.all(steps.map(runStep))
    const failed = steps.filter((_, index) => !passed[index]).map(({ name }) => name)
    if (failed.length > 0) throw new Error(`failed: ${failed.join(', ')}`)
    return undefined
  },
})

if (import.meta.main) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  runCommand('check', command)
}
